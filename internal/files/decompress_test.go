package files

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
)

func gzipped(t testing.TB, members ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, text := range members {
		z := gzip.NewWriter(&b)
		if _, err := z.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func zstded(t testing.TB, frames ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, text := range frames {
		z, err := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(true))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := z.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// damage flips a bit so many bytes before the end.
func damage(data []byte, before int) []byte {
	data = bytes.Clone(data)
	data[len(data)-before] ^= 1
	return data
}

func TestCompressedDataIsKnownByContentAndByName(t *testing.T) {
	dir(t)
	gz, zst := gzipped(t, "one\n", "two\n"), zstded(t, "one\n", "two\n")
	skippable := append(binary.LittleEndian.AppendUint32([]byte("\x5a\x2a\x4d\x18"), 3), "xyz"...) // RFC 8878, 3.1.2
	for _, c := range []struct {
		name    string
		content []byte
		want    string
		err     string
	}{
		{"a.jsonl.gz", gz, "one\ntwo\n", ""},
		{"a.jsonl", gz, "one\ntwo\n", ""},
		{"A.GZ", gz, "one\ntwo\n", ""},
		{"a.jsonl.zst", zst, "one\ntwo\n", ""},
		{"b.jsonl", zst, "one\ntwo\n", ""},
		{"A.ZSTD", zst, "one\ntwo\n", ""},
		{"skip.zst", append(skippable, zst...), "one\ntwo\n", ""},
		{"mistaken.gz", zst, "one\ntwo\n", ""},
		{"plain", []byte("plain"), "plain", ""},
		{"bracket", []byte("(\n"), "(\n", ""},
		{"almost", []byte("(\xb5/"), "(\xb5/", ""},
		{"short", []byte("\x1f"), "\x1f", ""},
		{"empty", nil, "", ""},
		{"empty.gz", nil, "", ""},
		{"empty.zst", nil, "", ""},
		{"plain.gz", []byte("plain"), "", "named .gz, but the content is not gzip: rename it if it is plain text"},
		{"plain.zstd", []byte("plain"), "", "named .zst, but the content is not zstd: rename it if it is plain text"},
		{"cut.gz", gz[:len(gz)-10], "one\n", "the gzip data is cut off: unexpected EOF"},
		{"head.gz", gz[:5], "", "the gzip data is cut off: unexpected EOF"},
		{"damaged.gz", damage(gz, 6), "one\ntwo\n", "the gzip data is damaged: gzip: invalid checksum"},
		{"cut.zst", zst[:len(zst)-2], "one\n", "the zstd data is cut off: unexpected EOF"},
		{"head.zst", zst[:5], "", "the zstd data is cut off: unexpected EOF"},
		{"damaged.zst", damage(zst, 1), "one\n", "the zstd data is damaged: CRC check failed"},
		{"then text.zst", append(bytes.Clone(zst), "three\n"...), "one\ntwo\n", "the zstd data is damaged: invalid input: magic number mismatch"},
	} {
		put(t, c.name, c.content)
		f, err := Open(c.name, Default)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(f)
		if !strings.HasPrefix(string(got), c.want) || c.err == "" && (err != nil || string(got) != c.want) || c.err != "" && (err == nil || err.Error() != c.err) {
			t.Errorf("%s: got %q, %v; want %q, %s", c.name, got, err, c.want, c.err)
		}
		if f.Live {
			t.Errorf("%s counts as live", c.name)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestDecompressPassesErrorsOn(t *testing.T) {
	broken := errors.New("disk on fire")
	if _, err := io.ReadAll(Decompress(iotest.ErrReader(broken), Default)); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// once gives its bytes once, and must not be asked for more.
type once struct{ bytes []byte }

func (o *once) Read(p []byte) (int, error) {
	if o.bytes == nil {
		panic("read on")
	}
	n := copy(p, o.bytes)
	o.bytes = nil
	return n, nil
}

func TestAShortLineOfAPipeIsGivenWithoutWaitingForMore(t *testing.T) {
	for _, line := range []string{"\n", "1\n", "(\n", "P\n"} {
		b := make([]byte, 10)
		if n, err := Decompress(&once{[]byte(line)}, Default).Read(b); string(b[:n]) != line || err != nil {
			t.Errorf("got %q, %v; want %q", b[:n], err, line)
		}
	}
}

func TestTheSizeAfterDecompressionIsBounded(t *testing.T) {
	for name, data := range map[string][]byte{"gzip": gzipped(t, "12345678"), "zstd": zstded(t, "12345678")} {
		for most, want := range map[int64]string{0: "12345678", 7: "1234567", 8: "12345678", 9: "12345678"} {
			got, err := io.ReadAll(Decompress(bytes.NewReader(data), Limits{Size: most}))
			if string(got) != want || errors.Is(err, ErrExpands) != (most == 7) {
				t.Errorf("%s within %d bytes: %q, %v", name, most, got, err)
			}
			if most == 7 && err.Error() != "the compressed data decompresses to too much: more than 7 bytes (see MaxDecompressed)" {
				t.Errorf("got %v", err)
			}
		}
	}
	if got, err := io.ReadAll(Decompress(strings.NewReader("12345678"), Limits{Size: 1})); string(got) != "12345678" || err != nil {
		t.Errorf("plain bytes are not bounded: got %q, %v", got, err)
	}
}

func TestADecompressionBombIsStopped(t *testing.T) {
	zeros := string(make([]byte, 65<<20))
	data := zstded(t, zeros)
	read := func(l Limits) (int64, error) { return io.Copy(io.Discard, Decompress(bytes.NewReader(data), l)) }
	if len(data) > 65<<10 {
		t.Fatalf("the bomb has %d bytes", len(data))
	}
	if n, err := read(Default); !errors.Is(err, ErrExpands) || n > ratioFrom+1<<20 {
		t.Errorf("%d bytes, then %v", n, err)
	}
	if n, err := read(Limits{}); n != 65<<20 || err != nil {
		t.Errorf("without a bound: %d bytes, %v", n, err)
	}
	// Data of the same kind that is small harms nobody.
	data = zstded(t, zeros[:1<<20])
	if n, err := read(Default); n != 1<<20 || err != nil {
		t.Errorf("of 1 MiB: %d bytes, %v", n, err)
	}
}

// A frame's header may claim a window of up to 3.75 TB (RFC 8878, 3.1.1.1.2), which a decoder must
// not allocate.
func TestAClaimOfMemoryIsNoReasonToAllocateIt(t *testing.T) {
	for window, want := range map[byte]string{
		18 << 3: "the zstd data reaches back further than 128 MiB: compress it without --long or --ultra: decompresses to too much", // 256 MiB
		31 << 3: "the zstd data reaches back further than 128 MiB: compress it without --long or --ultra: decompresses to too much",
	} {
		frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, window, 1, 0, 0}
		if _, err := io.ReadAll(Decompress(bytes.NewReader(frame), Default)); err == nil || err.Error() != want || !errors.Is(err, ErrExpands) {
			t.Errorf("window %d: got %v", window, err)
		}
	}
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, 17 << 3, 1, 0, 0} // 128 MiB, and empty
	if got, err := io.ReadAll(Decompress(bytes.NewReader(frame), Default)); err != nil || len(got) > 0 {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestLimitsThatHaveNoMeaningAreRefused(t *testing.T) {
	if err := Default.Check(); err != nil {
		t.Error(err)
	}
	err := Limits{Size: -1, Ratio: -2}.Check()
	if want := "MaxDecompressed(-1): 0 is no bound, and less has no meaning\nMaxRatio(-2): 0 is no bound, and less has no meaning"; fmt.Sprint(err) != want {
		t.Errorf("got %v", err)
	}
}

// FuzzDecompress: whatever the bytes, there is an end, and no panic; and what Go's gzip and
// zstd make of them, within the limits, comes out.
func FuzzDecompress(f *testing.F) {
	for _, data := range [][]byte{nil, []byte("text"), gzipped(f, "a", "b"), zstded(f, "a", "b"), {0x28, 0xb5, 0x2f, 0xfd, 0, 17 << 3, 1, 0, 0}, []byte("\x1f\x8b\x08")} {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		const most = 1 << 20
		got, err := io.ReadAll(Decompress(bytes.NewReader(data), Limits{Size: most}))
		if named := bytes.HasPrefix(data, []byte("\x1f\x8b")) || len(data) >= 4 && (string(data[1:4]) == "\xb5\x2f\xfd" && data[0] == 0x28 || string(data[1:4]) == "\x2a\x4d\x18" && data[0]>>4 == 5); !named && (err != nil || !bytes.Equal(got, data)) {
			t.Fatalf("plain bytes %q became %q, %v", data, got, err)
		}
		if len(got) > most {
			t.Fatalf("%d bytes came out", len(got))
		}
	})
}
