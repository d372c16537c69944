package sketch

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/apache/datasketches-go/tdigest"
)

// The encoding of a Digest: nothing for nothing, else formatDigest; how many values were -Inf,
// +Inf and NaN and how many are recent, as varints; the bits of the recent ones, little-endian, in
// order of arrival; and the library's encoding of the older ones with its buffer, if there are any.
const (
	formatDigest = 1

	// Of the library's encoding, which all of DataSketches has: the parameter, 16 bits; the number
	// of centroids, 32; and the first of them, a mean and a weight of 64 each, after least and
	// greatest value. All are little-endian.
	atParameter, atCentroids, atFirst = 3, 8, 32
)

// AppendBinary implements encoding.BinaryAppender.
func (d *Digest) AppendBinary(dst []byte) ([]byte, error) {
	if d.finite()+d.negInf+d.posInf+d.nan == 0 {
		return dst, nil
	}
	out := append(dst, formatDigest)
	for _, n := range []uint64{d.negInf, d.posInf, d.nan, uint64(len(d.recent))} {
		out = binary.AppendUvarint(out, n)
	}
	for _, x := range d.recent {
		out = binary.LittleEndian.AppendUint64(out, math.Float64bits(x))
	}
	if d.older == nil {
		return out, nil
	}
	older, err := tdigest.EncodeDouble(d.older, true)
	if err != nil {
		return dst, err
	}
	return append(out, older...), nil
}

// MarshalBinary implements encoding.BinaryMarshaler.
func (d *Digest) MarshalBinary() ([]byte, error) { return d.AppendBinary(nil) }

// UnmarshalBinary implements encoding.BinaryUnmarshaler. The bytes may be hostile: it reports
// what it cannot read, and then changes nothing.
func (d *Digest) UnmarshalBinary(b []byte) error {
	if len(b) == 0 {
		*d = Digest{}
		return nil
	}
	if b[0] != formatDigest {
		return fmt.Errorf("sketch: a digest of format %d; this program reads format %d", b[0], formatDigest)
	}
	var read Digest
	var recent uint64
	b = b[1:]
	for _, n := range []*uint64{&read.negInf, &read.posInf, &read.nan, &recent} {
		x, size := binary.Uvarint(b)
		if size <= 0 || x > mostCounted {
			return errDamaged
		}
		*n, b = x, b[size:]
	}
	if recent > exact || uint64(len(b)) < 8*recent {
		return errDamaged
	}
	for range recent {
		x := math.Float64frombits(binary.LittleEndian.Uint64(b))
		if x-x != 0 {
			return errDamaged
		}
		read.recent, b = append(read.recent, x), b[8:]
	}
	if len(b) > 0 {
		older, ok := readOlder(b)
		if !ok {
			return errDamaged
		}
		read.older = older
	}
	*d = read
	return nil
}

var errDamaged = errors.New("sketch: a damaged digest")

// mostCounted keeps sums of counts within 64 bits.
const mostCounted = 1 << 60

func readOlder(b []byte) (*tdigest.Double, bool) {
	if len(b) < atParameter+2 || binary.LittleEndian.Uint16(b[atParameter:]) != compression {
		return nil, false
	}
	older, err := tdigest.DecodeDouble(b)
	if err != nil || older.SerializedSizeBytes(true) != len(b) || older.TotalWeight() < exact || older.TotalWeight() > mostCounted {
		return nil, false
	}
	return older, true
}
