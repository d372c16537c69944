package yaml

// arity says how many inputs a transform takes.
type arity int

const (
	oneInput    arity = iota // or a list, which is flattened
	noInput                  // a source
	namedInputs              // a mapping of names
	anyInputs                // a list or a mapping
)

// transform is a row of the table of transforms.
type transform struct {
	name     string
	doc      string
	inputs   arity
	settings []setting
	ours     bool // not in Beam YAML
	sink     bool // has no output
	reads    bool // a source whose records may be malformed
	marked   bool // may have a watermark section
	windowed bool // has a late output
	outputs  func(s *step) []string
	check    func(c *checker, s *step)
}

// catalog is the table of transforms. It is filled before main since transforms refer to it.
var catalog = map[string]*transform{}

func init() {
	for _, list := range [][]*transform{reading(), writing(), mapping(), grouping()} {
		for _, d := range list {
			catalog[d.name] = d
		}
	}
}

// errorHandling is the setting that sends failing rows to an output of their own.
var errorHandling = setting{name: "error_handling", form: settingsForm, doc: "what becomes of rows that fail; without it they end the run", of: []setting{
	{name: "output", form: textForm, doc: "the name of the output that they go to, which some step must consume"},
	{name: "threshold", form: numberForm, doc: "the share of rows that may fail, from 0 to 1, before the run counts as failed"},
}}

// language is the setting that Beam's mapping transforms have.
var language = setting{name: "language", form: textForm, doc: "generic or python: the expressions are the same"}

// dependencies is known, so that it can be refused with a reason.
var dependencies = setting{name: "dependencies", form: anyForm, doc: "not supported: expressions need none"}

// refused are transforms of Beam YAML that cannot run here, and what to do instead.
var refused = map[string]string{
	"Sql":                "use MapToFields, Filter, Combine and Join",
	"PyTransform":        "Python code cannot run here: use MapToFields, Filter, Combine",
	"MLTransform":        "Python code cannot run here",
	"RunInference":       "Python code cannot run here",
	"Enrichment":         "use Join",
	"AnomalyDetection":   "Python code cannot run here",
	"MatchAll":           "give a pattern to the source: path: logs/*.json",
	"DicomSearch":        "read from a file",
	"ReadFromPubSub":     "read from a file or standard input",
	"WriteToPubSub":      "write to a file or standard output",
	"ReadFromPubSubLite": "read from a file or standard input",
	"WriteToPubSubLite":  "write to a file or standard output",
	"ReadFromBigQuery":   "export to Parquet, and use ReadFromParquet",
	"WriteToBigQuery":    "use WriteToParquet, and load the file",
	"ReadFromBigTable":   "read from a file",
	"WriteToBigTable":    "write to a file",
	"ReadFromSpanner":    "read from a file",
	"WriteToSpanner":     "write to a file",
	"ReadFromIceberg":    "use ReadFromParquet",
	"WriteToIceberg":     "use WriteToParquet",
	"ReadFromTFRecord":   "use ReadFromParquet",
	"WriteToTFRecord":    "use WriteToParquet",
	"ReadFromAvro":       "use ReadFromJson or ReadFromParquet",
	"WriteToAvro":        "use WriteToJson or WriteToParquet",
	"ReadFromKafka":      "no broker can be read yet: pipe its records to standard input",
	"WriteToKafka":       "no broker can be written to yet: write to standard output",
	"ReadFromJdbc":       "no database can be read yet: export to CSV",
	"WriteToJdbc":        "no database can be written to yet: use WriteToCsv",
	"ReadFromMySql":      "no database can be read yet: export to CSV",
	"WriteToMySql":       "no database can be written to yet: use WriteToCsv",
	"ReadFromPostgres":   "no database can be read yet: export to CSV",
	"WriteToPostgres":    "no database can be written to yet: use WriteToCsv",
	"ReadFromOracle":     "no database can be read yet: export to CSV",
	"WriteToOracle":      "no database can be written to yet: use WriteToCsv",
	"ReadFromSqlServer":  "no database can be read yet: export to CSV",
	"WriteToSqlServer":   "no database can be written to yet: use WriteToCsv",
	"ReadFromMongoDB":    "no database can be read yet: export to JSON lines",
	"WriteToMongoDB":     "no database can be written to yet: use WriteToJson",
	"WriteToDatadog":     "write to a file",
	"ReadFromFirestore":  "no database can be read yet: export to CSV",
	"WriteToFirestore":   "no database can be written to yet: use WriteToCsv",
	"ReadFromIbmMQ":      "no broker can be read yet: pipe its records to standard input",
	"WriteToIbmMQ":       "no broker can be written to yet: write to standard output",
	"ReadFromJms":        "no broker can be read yet: pipe its records to standard input",
	"WriteToJms":         "no broker can be written to yet: write to standard output",
	"ReadFromKinesis":    "no broker can be read yet: pipe its records to standard input",
	"WriteToKinesis":     "no broker can be written to yet: write to standard output",
	"ReadFromSnowflake":  "no database can be read yet: export to CSV",
	"WriteToSnowflake":   "no database can be written to yet: use WriteToCsv",
	"ReadFromDebezium":   "no database can be read yet: pipe its records to standard input",
	"ReadFromDelta":      "use ReadFromParquet",
	"ReadFromDeltaCDC":   "use ReadFromParquet",
	"ReadFromIcebergCDC": "use ReadFromParquet",
	"ReadFromSpannerCDC": "pipe its records to standard input",
	"IcebergAddFiles":    "use WriteToParquet",
}
