package main

import (
	"bytes"
	"os"
	"testing"
)

func TestTheFileIsMadeAnewByteForByte(t *testing.T) {
	want, err := os.ReadFile("../meter_readings.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := write(&got); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("%d bytes were made that differ from the %d of the file", got.Len(), len(want))
	}
}
