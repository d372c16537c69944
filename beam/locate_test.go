package beam

import (
	"bytes"
	"encoding/json/v2"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// The transcripts are a file of Beam's Go module. Its hash makes sure that everybody is held to
// the same words.
const (
	beamModule  = "github.com/apache/beam/sdks/v2@v2.77.0"
	beamHash    = "h1:RsC61pHEvtySEHAURQyP/+CVOJm/hy5hewuG9JF0+Ow="
	transcripts = "python/apache_beam/testing/data/trigger_transcripts.yaml"
)

// errUnavailable: the module can be neither found nor downloaded here.
var errUnavailable = errors.New("the module of Beam cannot be had")

// readTranscripts reads the transcripts from the module cache; dir is an empty directory. The
// go command downloads the module if need be.
func readTranscripts(dir string) ([]byte, error) {
	cmd := exec.Command("go", "mod", "download", "-json", beamModule)
	cmd.Dir = dir // outside any module, so that none is changed
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, failed := cmd.Output()
	var module struct{ Dir, Sum, Error string }
	if err := json.Unmarshal(stdout, &module); err != nil || failed != nil || module.Dir == "" {
		return nil, fmt.Errorf("%w: go mod download %s: %w: %s%s", errUnavailable, beamModule, errors.Join(failed, err), module.Error, stderr.String())
	}
	if module.Sum != beamHash {
		return nil, fmt.Errorf("%s has the hash %s, not %s: these are not the transcripts that Strandline is held to", beamModule, module.Sum, beamHash)
	}
	return os.ReadFile(filepath.Join(module.Dir, filepath.FromSlash(transcripts)))
}
