// Package report writes what settings of a watermark cost as one HTML page: the recommendation,
// curves of what each setting costs, the table of settings, what is wrong under each and whose
// records caused it, and who is late by how much. The page has all that it needs in itself, asks no
// network, and runs no script: its charts are SVG, and a setting is chosen by radio buttons that
// the style sheet reads.
//
// Layer: above package lateness, whose result it shows. It knows no pipeline and no file: the same
// result gives the same bytes.
package report
