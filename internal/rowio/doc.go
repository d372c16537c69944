// Package rowio reads and writes rows of record: files, globs, standard input and files that
// are followed, as JSON lines, JSON arrays, CSV or text, with a schema that is declared or
// inferred; and Parquet files, which have their schema in themselves.
//
// [Open] finds the files and settles the schema; [Table.Source] is a source of rows with just
// the fields in use; [Sink] writes rows. Package jsonrow says what a JSON record is, package
// connector/csv what a CSV record is: null, quotes and malformed records are the same here.
// Package parquetrow says what the types of Parquet become.
//
// Layer: over the parts that connectors share, and under the declarative front end. It knows
// no pipeline and no expression. Its goroutines are those of internal/lines.
package rowio
