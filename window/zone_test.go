package window

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestZonesComeFromTheReleaseThatIsNamed(t *testing.T) {
	// Whoever replaces zoneinfo.zip changes ZoneRelease and adds its sum here.
	sums := map[string]string{"2026c": "b2d18a7c8fa8142097a48c99609fb3c92db5ee98bc740294e57eab8ae9f94779"}
	if got := fmt.Sprintf("%x", sha256.Sum256(zoneZip)); got != sums[ZoneRelease] {
		t.Errorf("zoneinfo.zip is not release %s: its SHA-256 is %s", ZoneRelease, got)
	}
}

func TestEveryZoneLoads(t *testing.T) {
	for name := range zoneFiles() {
		z, err := Zone(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if again, _ := Zone(name); z != again || z.String() != name {
			t.Errorf("%s: got %v, then %v", name, z, again)
		}
	}
	if n := len(zoneFiles()); n < 500 {
		t.Errorf("only %d zones are built in", n)
	}
}

func TestUnknownZoneNamesTheOneThatWasMeant(t *testing.T) {
	for name, want := range map[string]string{
		"europe/berlin":    `is it "Europe/Berlin"?`,
		"Berlin":           `is it "Europe/Berlin"?`,
		"Europe/Berln":     `is it "Europe/Berlin"?`,
		"Europa/Berlin":    `is it "Europe/Berlin"?`,
		"America/New York": `is it "America/New_York"?`,
		"Sao_Paulo":        `is it "America/Sao_Paulo"?`,
		"CEST":             `names are of the form "Europe/Berlin"`,
		"Mars/Olympus":     `names are of the form "Europe/Berlin"`,
		"":                 `names are of the form "Europe/Berlin"`,
		"../../etc/passwd": `names are of the form "Europe/Berlin"`,
		"Local":            "depends on the machine",
	} {
		if z, err := Zone(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Zone(%q) = %v, %v, want an error that says: %s", name, z, err, want)
		}
	}
}

func TestZoneOfTheMachineIsAcceptedIfItHasTheSameRules(t *testing.T) {
	tokyo, err := Zone("Asia/Tokyo")
	if err != nil {
		t.Fatal(err)
	}
	if err := Days().In(time.FixedZone("Asia/Tokyo", 9*3600)).Validate(); err != nil {
		t.Errorf("Tokyo has had no clock changes since 1951: %v", err)
	}
	if got := Days().In(time.FixedZone("Asia/Tokyo", 9*3600)); got.zone != tokyo {
		t.Error("the rules are not those of the built-in database")
	}
	if err := Days().In(time.FixedZone("Asia/Tokyo", 8*3600)).Validate(); err == nil || !strings.Contains(err.Error(), "use window.Zone") {
		t.Errorf("a Tokyo with other rules: %v", err)
	}
}
