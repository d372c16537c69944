package window

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// ZoneRelease is the release of the IANA time zone database that calendar windows follow. It
// is built in: the same program has the same days everywhere, whatever zone files the machine
// has. Programs of two releases may disagree, so a runner on several machines compares it.
const ZoneRelease = "2026c"

// zoneZip has a compiled zone file per zone. [time.LoadLocation] would ask the machine first,
// and package time/tzdata only if that knows nothing. The data is in the public domain.
//
//go:generate sh -c "cp \"$(go env GOROOT)/lib/time/zoneinfo.zip\" zoneinfo.zip && chmod 644 zoneinfo.zip"
//go:embed zoneinfo.zip
var zoneZip []byte

// zoneFiles indexes zoneZip by zone name.
var zoneFiles = sync.OnceValue(func() map[string]*zip.File {
	r, err := zip.NewReader(bytes.NewReader(zoneZip), int64(len(zoneZip)))
	if err != nil {
		panic("window: the built-in time zone database: " + err.Error())
	}
	files := make(map[string]*zip.File, len(r.File))
	for _, f := range r.File {
		files[f.Name] = f
	}
	return files
})

// zones holds the zones in use, *time.Location by name, so that a zone is one pointer.
var zones sync.Map

// Zone gives the time zone with an IANA name, such as "Europe/Berlin" or "UTC", from the
// database that is built in ([ZoneRelease]). It reads nothing from the machine. The error of
// an unknown name says which one may have been meant. Safe for concurrent use.
func Zone(name string) (*time.Location, error) {
	if name == "UTC" {
		return time.UTC, nil
	}
	if z, ok := zones.Load(name); ok {
		return z.(*time.Location), nil
	}
	f, ok := zoneFiles()[name]
	if !ok {
		return nil, unknownZone(name)
	}
	z, err := readZone(f)
	if err != nil {
		return nil, fmt.Errorf("window: time zone %q: %w", name, err)
	}
	first, _ := zones.LoadOrStore(name, z)
	return first.(*time.Location), nil
}

func readZone(f *zip.File) (*time.Location, error) {
	r, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return time.LoadLocationFromTZData(f.Name, data)
}

// unknownZone is the error for a name that the database does not have.
func unknownZone(name string) error {
	if name == "Local" {
		return fmt.Errorf("window: the time zone %q depends on the machine: name an IANA zone, such as \"Europe/Berlin\"", name)
	}
	var best string
	least := 3 // more slips of the pen than two are another name
	for known := range zoneFiles() {
		n := slips(name, known)
		if n < least || n == least && n < 3 && known < best {
			best, least = known, n
		}
	}
	if best != "" {
		return fmt.Errorf("window: no IANA time zone is named %q: is it %q?", name, best)
	}
	return fmt.Errorf("window: no IANA time zone is named %q: names are of the form \"Europe/Berlin\"", name)
}

// slips counts how far a mistaken name is from a known one, ignoring case: 0 for another case
// or the city alone, else the number of letters to insert, delete or replace, up to 2. An
// abbreviation, such as CEST, is close to others that mean something else: it is no slip.
func slips(name, known string) int {
	name, known = strings.ToLower(name), strings.ToLower(known)
	name = strings.ReplaceAll(name, " ", "_")
	if name == known || name != "" && strings.HasSuffix(known, "/"+name) {
		return 0
	}
	if n := len(name) - len(known); n > 2 || n < -2 || !strings.Contains(name, "/") {
		return 3
	}
	row := make([]int, len(known)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(name) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(known) {
			replace := diagonal
			if name[i] != known[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(known)]
}
