// Package record is the data of the declarative front end: values whose types are known only
// when a pipeline is read, rows of them, and schemas that name and type the fields of rows.
//
// It decides nothing about time or windows, and opens no file. What reads and writes rows is
// internal/rowio, what computes with them internal/expr, what builds pipelines of them yaml.
package record
