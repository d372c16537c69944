package expr

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/strandline-stream/strandline/internal/record"
)

var rewrite = flag.Bool("rewrite", false, "write testdata/python.txt anew, by Python, with its expressions")

// python is testdata/oracle.py at work: Python's own eval is the oracle.
type python struct {
	in  io.WriteCloser
	out *bufio.Scanner
	cmd *exec.Cmd
}

// startPython skips the test if there is no Python.
func startPython(t *testing.T) *python {
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not there: the committed answers of testdata/python.txt stand for it")
	}
	p := &python{cmd: exec.Command(path, "testdata/oracle.py")}
	p.cmd.Stderr = os.Stderr
	p.in, _ = p.cmd.StdinPipe()
	out, _ := p.cmd.StdoutPipe()
	p.out = bufio.NewScanner(out)
	p.out.Buffer(nil, 1<<22)
	if err := p.cmd.Start(); err != nil {
		t.Skipf("python3 does not start (%v): the committed answers of testdata/python.txt stand for it", err)
	}
	t.Cleanup(func() { p.in.Close(); p.cmd.Wait() })
	return p
}

// question is an expression and its fields.
type question struct {
	Text   string         `json:"text"`
	Fields map[string]any `json:"fields"`
}

// eval gives Python's answer, such as "integer 3" or "error ValueError".
func (p *python) eval(t *testing.T, text string, fields map[string]any) string {
	t.Helper()
	return p.evalAll(t, []question{{text, fields}})[0]
}

// evalAll gives Python's answers to a batch, which takes much less time than one by one.
func (p *python) evalAll(t *testing.T, questions []question) []string {
	t.Helper()
	var batch bytes.Buffer
	for _, q := range questions {
		line, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		batch.Write(append(line, '\n'))
	}
	batch.WriteByte('\n')
	go p.in.Write(batch.Bytes()) // while the answers are read
	answers := make([]string, len(questions))
	for i, q := range questions {
		if !p.out.Scan() {
			t.Fatalf("python3 has no answer to %s: %v", q.Text, p.out.Err())
		}
		answers[i] = p.out.Text()
	}
	return answers
}

// answer writes a value as oracle.py does.
func answer(v record.Value) string {
	switch v.Kind() {
	case record.Null:
		return "null"
	case record.Bool, record.Int:
		return v.Kind().String() + " " + v.String()
	case record.Float:
		return "number " + pythonFloat(v.Float())
	case record.String:
		var b strings.Builder
		for _, r := range v.Str() {
			writeJSON(&b, r)
		}
		return `string "` + b.String() + `"`
	case record.List:
		parts := make([]string, len(v.List()))
		for i, e := range v.List() {
			parts[i] = answer(e)
		}
		return "array [" + strings.Join(parts, ", ") + "]"
	}
	return "other " + v.String()
}

// pythonFloat is not the function of the package, so that a mistake in that one shows.
func pythonFloat(f float64) string {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return strings.ToLower(strings.TrimPrefix(fmt.Sprint(f), "+"))
	}
	return fmt.Sprintf("%x", f)
}

// writeJSON writes a character as Python's json does, in ASCII.
func writeJSON(b *strings.Builder, r rune) {
	switch r {
	case '"', '\\':
		b.WriteRune('\\')
		b.WriteRune(r)
	case '\n':
		b.WriteString(`\n`)
	case '\r':
		b.WriteString(`\r`)
	case '\t':
		b.WriteString(`\t`)
	case '\b':
		b.WriteString(`\b`)
	case '\f':
		b.WriteString(`\f`)
	default:
		switch {
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		case r < ' ' || r >= 0x7f:
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
}

// normal writes the numbers of an answer by their bits.
func normal(answer string) string {
	parts := strings.Split(answer, "number ")
	for i := 1; i < len(parts); i++ {
		end := strings.IndexAny(parts[i]+",", ",]")
		if f, err := strconv.ParseFloat(parts[i][:end], 64); err == nil {
			parts[i] = pythonFloat(f) + parts[i][end:]
		}
	}
	return strings.Join(parts, "number ")
}

// ours is the answer of the package: a value, "error" or "refused".
func ours(text string, schema record.Schema, row record.Row) (answerText, why string) {
	p, errs := Compile(text, schema)
	if errs != nil {
		return "refused", errs.Error()
	}
	v, err := p.Eval(row)
	if err != nil {
		return "error", err.Error()
	}
	return answer(v), ""
}

// agree compares the answers. Logarithms and powers may differ in the last digit, since they come
// from another library.
func agree(text, ours, python string) bool {
	if ours == "error" && strings.HasPrefix(python, "error ") || ours == normal(python) {
		return true
	}
	if !strings.Contains(text, "log") && !strings.Contains(text, "**") && !strings.Contains(text, "pow") && !strings.Contains(text, "exp") {
		return false
	}
	a, err := strconv.ParseFloat(strings.TrimPrefix(ours, "number "), 64)
	b, err2 := strconv.ParseFloat(strings.TrimPrefix(python, "number "), 64)
	return err == nil && err2 == nil && math.Abs(a-b) <= 4e-16*math.Abs(b)
}

// tableFields are those of testdata/python.txt.
func tableFields() (record.Schema, record.Row, map[string]any) {
	str := record.OfString
	schema, row := record.Schema{}, record.Row{}
	names := map[string]any{}
	add := func(name string, v record.Value, python any) {
		typ := record.TypeOf(v)
		if v.IsNull() {
			typ = record.Type{Kind: record.Int, Nullable: true}
		}
		schema, row = append(schema, record.Field{Name: name, Type: typ}), append(row, v)
		names[name] = python
	}
	add("i", record.OfInt(7), 7)
	add("j", record.OfInt(-3), -3)
	add("f", record.OfFloat(2.5), map[string]any{"float": "2.5"})
	add("s", str("strandline"), "strandline")
	add("t", str("  Grüße, Ärger  "), "  Grüße, Ärger  ")
	add("b", record.OfBool(true), true)
	add("n", record.OfBool(false), false)
	add("none", record.Value{}, nil)
	add("xs", record.OfList([]record.Value{record.OfInt(3), record.OfInt(1), record.OfInt(2)}), []int{3, 1, 2})
	add("ss", record.OfList([]record.Value{str("a"), str("b")}), []string{"a", "b"})
	return schema, row, names
}

// The table has an expression a line, behind => what Python says, and behind a bar what is said
// here where it is not that: only refused, before anything runs, or an error of the record.
func TestTheTableOfExpressionsHasPythonsAnswers(t *testing.T) {
	const file = "testdata/python.txt"
	schema, row, names := tableFields()
	table, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var oracle *python
	if *rewrite {
		oracle = startPython(t)
	}
	var written strings.Builder
	cases := 0
	for line := range strings.Lines(string(table)) {
		line = strings.TrimSuffix(line, "\n")
		text, answers, _ := strings.Cut(line, " => ")
		said, here, other := strings.Cut(answers, " | ")
		if oracle != nil {
			said = oracle.eval(t, text, names)
		}
		got, why := ours(text, schema, row)
		if oracle != nil {
			here, other = "", false
			if !agree(text, got, said) {
				here, other = got, true
			}
			fmt.Fprintf(&written, "%s => %s", text, said)
			if other {
				fmt.Fprintf(&written, " | %s", here)
			}
			written.WriteByte('\n')
		}
		cases++
		switch {
		case !other && !agree(text, got, said):
			t.Errorf("%s is %s (%s), Python says %s", text, got, why, said)
		case other && (got != here || here != "refused" && here != "error"):
			t.Errorf("%s is %s (%s), want %s; Python says %s", text, got, why, here, said)
		}
	}
	t.Attr("cases", strconv.Itoa(cases))
	if oracle != nil && !t.Failed() {
		if err := os.WriteFile(file, []byte(written.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPythonOfThisMachineStillGivesTheAnswersOfTheTable(t *testing.T) {
	oracle := startPython(t)
	_, _, names := tableFields()
	table, err := os.ReadFile("testdata/python.txt")
	if err != nil {
		t.Fatal(err)
	}
	var questions []question
	var want []string
	for line := range strings.Lines(string(table)) {
		text, answers, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " => ")
		said, _, _ := strings.Cut(answers, " | ")
		questions, want = append(questions, question{text, names}), append(want, said)
	}
	for i, got := range oracle.evalAll(t, questions) {
		if got != want[i] {
			t.Errorf("%s is %s, the table says that Python says %s", questions[i].Text, got, want[i])
		}
	}
}
