package parquetrow

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"

	"github.com/strandline-stream/strandline/internal/record"
)

// op is how a column's values are read.
type op uint8

const (
	opNull op = iota
	opBool
	opInt32
	opInt64
	opUint32
	opUint64
	opFloat32
	opFloat64
	opFloat16
	opString
	opBytes
	opUUID
	opDate
	opTime // in units of which one has so many nanoseconds
	opInt96
	opDecimal32
	opDecimal64
	opDecimal
	opClock32
	opClock64
)

// leaf is what a column's values mean.
type leaf struct {
	op    op
	float bool  // integers are given as floats
	scale int   // of a decimal
	unit  int64 // nanoseconds of a time
}

// maxDecimal is how long the integer of a decimal may be: 16 bytes hold 38 digits, and 32
// bytes the 76 of the longest that are in use.
const (
	maxDecimal = 128
	maxScale   = 1000
)

// leafOf says what the values of a column mean. The meaning must fit the physical type: the
// library reads memory by it.
func leafOf(e *format.SchemaElement) (leaf, error) {
	physical := e.Type.V
	l, fits, name := leaf{}, []format.Type(nil), ""
	switch t := e.LogicalType.Value.(type) {
	case nil:
		l, fits, name = convertedLeaf(e)
	case *format.StringType, *format.EnumType, *format.JsonType:
		l.op, fits = opString, []format.Type{format.ByteArray}
	case *format.BsonType, *format.GeometryType, *format.GeographyType:
		l.op, fits = opBytes, []format.Type{format.ByteArray}
	case *format.UUIDType:
		l.op, fits = opUUID, []format.Type{format.FixedLenByteArray}
		if e.TypeLength.V != 16 {
			fits = nil
		}
	case *format.Float16Type:
		l.op, fits = opFloat16, []format.Type{format.FixedLenByteArray}
		if e.TypeLength.V != 2 {
			fits = nil
		}
	case *format.DecimalType:
		l, fits = decimal(physical, int(t.Scale))
	case *format.DateType:
		l.op, fits = opDate, []format.Type{format.Int32}
	case *format.TimestampType:
		l.op, l.unit, fits = opTime, unitOf(t.Unit), []format.Type{format.Int64}
	case *format.TimeType:
		if l.op, l.unit, fits = opClock64, unitOf(t.Unit), []format.Type{format.Int64}; l.unit == int64(time.Millisecond) {
			l.op, fits = opClock32, []format.Type{format.Int32}
		}
	case *format.IntType:
		l, fits = integer(int(t.BitWidth), t.IsSigned)
	case *format.NullType:
		return leaf{op: opNull}, nil
	default:
		l, fits = plainLeaf(e)
	}
	if name == "" && e.LogicalType.Value != nil {
		name = e.LogicalType.Value.String()
	}
	if l.op == opTime && l.unit == 0 || (l.op == opClock64 || l.op == opClock32) && l.unit == 0 {
		return l, fmt.Errorf("%w: its unit of time is unknown", ErrUnsupported)
	}
	if physical == format.FixedLenByteArray && (!e.TypeLength.Valid || e.TypeLength.V <= 0 || e.TypeLength.V > 1<<20) {
		return l, fmt.Errorf("%w: values of a fixed length have %d bytes", ErrDamaged, e.TypeLength.V)
	}
	for _, t := range fits {
		if t == physical {
			return l, nil
		}
	}
	return l, fmt.Errorf("%w: %s cannot be stored as %v", ErrDamaged, name, physical)
}

// convertedLeaf reads the annotations of old files.
func convertedLeaf(e *format.SchemaElement) (l leaf, fits []format.Type, name string) {
	if !e.ConvertedType.Valid {
		l, fits = plainLeaf(e)
		return l, fits, "a value"
	}
	switch t := e.ConvertedType.V; t {
	case deprecated.UTF8, deprecated.Enum, deprecated.Json:
		l.op, fits = opString, []format.Type{format.ByteArray}
	case deprecated.Bson:
		l.op, fits = opBytes, []format.Type{format.ByteArray}
	case deprecated.Decimal:
		l, fits = decimal(e.Type.V, int(e.Scale.V))
	case deprecated.Date:
		l.op, fits = opDate, []format.Type{format.Int32}
	case deprecated.TimeMillis:
		l.op, l.unit, fits = opClock32, int64(time.Millisecond), []format.Type{format.Int32}
	case deprecated.TimeMicros:
		l.op, l.unit, fits = opClock64, int64(time.Microsecond), []format.Type{format.Int64}
	case deprecated.TimestampMillis:
		l.op, l.unit, fits = opTime, int64(time.Millisecond), []format.Type{format.Int64}
	case deprecated.TimestampMicros:
		l.op, l.unit, fits = opTime, int64(time.Microsecond), []format.Type{format.Int64}
	case deprecated.Uint8, deprecated.Uint16, deprecated.Uint32, deprecated.Uint64:
		l, fits = integer(8<<(t-deprecated.Uint8), false)
	case deprecated.Int8, deprecated.Int16, deprecated.Int32, deprecated.Int64:
		l, fits = integer(8<<(t-deprecated.Int8), true)
	case deprecated.Interval:
		l.op, fits = opBytes, []format.Type{format.FixedLenByteArray}
	default:
		l, fits = plainLeaf(e)
	}
	return l, fits, fmt.Sprintf("converted type %d", e.ConvertedType.V)
}

// plainLeaf reads what has no annotation.
func plainLeaf(e *format.SchemaElement) (leaf, []format.Type) {
	ops := map[format.Type]op{
		format.Boolean: opBool, format.Int32: opInt32, format.Int64: opInt64, format.Int96: opInt96,
		format.Float: opFloat32, format.Double: opFloat64, format.ByteArray: opBytes, format.FixedLenByteArray: opBytes,
	}
	op, known := ops[e.Type.V]
	if !known {
		return leaf{}, nil
	}
	return leaf{op: op}, []format.Type{e.Type.V}
}

func integer(bits int, signed bool) (leaf, []format.Type) {
	switch {
	case bits == 64 && signed:
		return leaf{op: opInt64}, []format.Type{format.Int64}
	case bits == 64:
		return leaf{op: opUint64}, []format.Type{format.Int64}
	case signed && (bits == 8 || bits == 16 || bits == 32):
		return leaf{op: opInt32}, []format.Type{format.Int32}
	case bits == 8 || bits == 16 || bits == 32:
		return leaf{op: opUint32}, []format.Type{format.Int32}
	}
	return leaf{}, nil
}

func decimal(physical format.Type, scale int) (leaf, []format.Type) {
	if scale < 0 || scale > maxScale {
		return leaf{}, nil
	}
	switch physical {
	case format.Int32:
		return leaf{op: opDecimal32, scale: scale}, []format.Type{physical}
	case format.Int64:
		return leaf{op: opDecimal64, scale: scale}, []format.Type{physical}
	}
	return leaf{op: opDecimal, scale: scale}, []format.Type{format.ByteArray, format.FixedLenByteArray}
}

func unitOf(u format.TimeUnit) int64 {
	if u.Value == nil {
		return 0
	}
	return int64(u.Value.Duration())
}

// kind is what the values are.
func (l leaf) kind() record.Kind {
	switch l.op {
	case opBool:
		return record.Bool
	case opInt32, opInt64, opUint32, opUint64:
		return record.Int
	case opFloat16, opFloat32, opFloat64:
		return record.Float
	case opBytes:
		return record.Bytes
	case opDate, opTime, opInt96:
		return record.Time
	case opNull:
		return record.Any
	}
	return record.String
}

// Reasons of values that are in a file and cannot be in a row.
var (
	// ErrRange says that a number or time is beyond what 64 bits hold.
	ErrRange = errors.New("out of range")
	// ErrUTF8 says that text is not UTF-8.
	ErrUTF8 = errors.New("not UTF-8")
)

const (
	microsADay = int64(24 * time.Hour / time.Microsecond)
	julian1970 = 2440588 // the Julian day of 1970-01-01
)

// value makes a value of one that is not null. It keeps nothing of v.
func (l *leaf) value(v *parquet.Value, c *cursor) (record.Value, error) {
	switch l.op {
	case opInt64:
		return l.integer(v.Int64()), nil
	case opString:
		return c.string(v.ByteArray())
	case opFloat64:
		return record.OfFloat(v.Double()), nil
	case opTime:
		at, ok := scaled(v.Int64(), l.unit)
		return timeOr(at, ok)
	case opInt32:
		return l.integer(int64(v.Int32())), nil
	case opUint32:
		return l.integer(int64(v.Uint32())), nil
	case opUint64:
		if u := v.Uint64(); u > math.MaxInt64 {
			return record.Value{}, fmt.Errorf("%d is %w", u, ErrRange)
		}
		return l.integer(v.Int64()), nil
	case opBool:
		return record.OfBool(v.Boolean()), nil
	case opFloat32:
		return record.OfFloat(float64(v.Float())), nil
	case opFloat16:
		return record.OfFloat(float16(binary.LittleEndian.Uint16(v.ByteArray()))), nil
	case opBytes:
		return record.OfBytes(append([]byte{}, v.ByteArray()...)), nil
	case opUUID:
		u := v.ByteArray()
		return record.OfString(fmt.Sprintf("%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:16])), nil
	case opDate:
		return record.OfTime(int64(v.Int32()) * microsADay), nil
	case opInt96:
		w := v.Int96()
		nanos, day := int64(w[1])<<32|int64(w[0]), int64(int32(w[2]))-julian1970
		hi, lo := bits.Mul64(uint64(abs(day)), uint64(microsADay))
		at := int64(lo)
		if day < 0 {
			at = -at
		}
		sum := at + floor(nanos, 1000)
		return timeOr(sum, hi == 0 && lo <= math.MaxInt64/2 && nanos >= 0)
	case opDecimal32:
		return record.OfString(decimalText(big.NewInt(int64(v.Int32())), l.scale)), nil
	case opDecimal64:
		return record.OfString(decimalText(big.NewInt(v.Int64()), l.scale)), nil
	case opDecimal:
		b := v.ByteArray()
		if len(b) > maxDecimal {
			return record.Value{}, fmt.Errorf("a decimal of %d bytes is %w", len(b), ErrRange)
		}
		n := new(big.Int).SetBytes(b)
		if len(b) > 0 && b[0] >= 0x80 {
			n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(b))))
		}
		return record.OfString(decimalText(n, l.scale)), nil
	case opClock32:
		return clock(int64(v.Int32()), l.unit)
	case opClock64:
		return clock(v.Int64(), l.unit)
	}
	return record.Value{}, nil
}

func (l *leaf) integer(i int64) record.Value {
	if l.float {
		return record.OfFloat(float64(i))
	}
	return record.OfInt(i)
}

// scaled makes microseconds of a number of units, cut towards the past.
func scaled(n, unit int64) (int64, bool) {
	switch unit {
	case int64(time.Microsecond):
		return n, true
	case int64(time.Millisecond):
		at := n * 1000
		return at, at/1000 == n
	}
	return floor(n, 1000), true
}

func timeOr(at int64, ok bool) (record.Value, error) {
	if !ok || at == math.MinInt64 || at == math.MaxInt64 {
		return record.Value{}, fmt.Errorf("a time is %w (the years -290308 to 294247)", ErrRange)
	}
	return record.OfTime(at), nil
}

func floor(n, by int64) int64 {
	q := n / by
	if n%by < 0 {
		q--
	}
	return q
}

func abs(n int64) int64 { return max(n, -n) }

// clock writes a time of day.
func clock(n, unit int64) (record.Value, error) {
	day := int64(24 * time.Hour)
	if n < 0 || n >= day/unit {
		return record.Value{}, fmt.Errorf("the time of day %d is %w", n, ErrRange)
	}
	return record.OfString(time.Unix(0, n*unit).UTC().Format("15:04:05.999999999")), nil
}

// decimalText writes n with so many digits after the point.
func decimalText(n *big.Int, scale int) string {
	if scale == 0 {
		return n.String()
	}
	text := new(big.Int).Abs(n).String()
	if len(text) <= scale {
		text = strings.Repeat("0", scale-len(text)+1) + text
	}
	text = text[:len(text)-scale] + "." + text[len(text)-scale:]
	if n.Sign() < 0 {
		return "-" + text
	}
	return text
}

// float16 is the number that the bits of an IEEE 754 half have.
func float16(h uint16) float64 {
	exponent, fraction := int(h>>10&0x1f), float64(h&0x3ff)/1024
	x := math.Ldexp(1+fraction, exponent-15)
	switch exponent {
	case 0:
		x = math.Ldexp(fraction, -14)
	case 0x1f:
		if x = math.Inf(1); fraction != 0 {
			return math.NaN()
		}
	}
	if h>>15 != 0 {
		return -x
	}
	return x
}
