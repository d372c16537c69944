package expr

// op is what a node of the parsed text does.
type op uint8

const (
	opNull    op = iota
	opBool       // text is true or false
	opInt        // text is the digits, perhaps with a minus
	opFloat      // text is the number
	opString     // text is the content
	opList       // of args
	opObject     // of args, named ops
	opName       // the field text
	opMember     // the part text of args[0]
	opIndex      // args[0] at args[1]
	opSlice      // args[0] from args[1] to args[2], each of which may be nil
	opCall       // the function text of args
	opMethod     // the same, args[0] written before a point
	opSign       // text is - or +
	opArith      // text is the operator
	opCompare    // args[0] ops[0] args[1] ops[1] args[2] ...
	opIsNull     // of args[0]
	opIsNotNull
	opNot
	opAnd
	opOr
	opIf // args are condition, then, else
)

// node is a part of the parsed text, which has it at off to end.
type node struct {
	op       op
	off, end int
	text     string
	ops      []string
	args     []*node

	// nameOff and nameEnd are where the text of a member, call or method stands, and opOff and
	// opEnd where an operator does.
	nameOff, nameEnd int
}
