package rowio

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/strandline-stream/strandline/connector"
	"github.com/strandline-stream/strandline/connector/timestamp"
	"github.com/strandline-stream/strandline/internal/files"
	"github.com/strandline-stream/strandline/internal/record"
	"github.com/strandline-stream/strandline/internal/rowio/parquetrow"
)

func checkParquet(c *Config) error {
	var problems []error
	if slices.Contains(c.Paths, "-") {
		problems = append(problems, errors.New("Parquet cannot be read from the standard input, as it is read from its end: write it to a file first"))
	}
	if c.Follow {
		problems = append(problems, errors.New("a Parquet file is complete or none, and cannot be followed"))
	}
	if c.Schema != nil {
		problems = append(problems, errors.New("Parquet files have their schema in themselves: leave it out"))
	}
	return errors.Join(problems...)
}

// schemaOfParquet unites the schemas of the files. One that cannot be read is an error when its
// turn comes, and what is before it has been read; but if it is the first there is nothing
// before it.
func schemaOfParquet(ctx context.Context, t *Table) (record.Schema, error) {
	var all record.Schema
	origin := map[string]string{} // where a field was seen first
	for i, path := range t.files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		f, err := openParquet(path)
		switch {
		case err != nil && i == 0:
			return nil, err
		case err != nil:
			continue
		}
		f.close()
		if all, err = unite(all, f.Schema(), origin, path, i == 0); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// unite adds the fields of one more file.
func unite(all, more record.Schema, origin map[string]string, path string, first bool) (record.Schema, error) {
	for i := range all {
		if more.Index(all[i].Name) < 0 {
			all[i].Type.Nullable = true
		}
	}
	for _, f := range more {
		i := all.Index(f.Name)
		if i < 0 {
			f.Type.Nullable = f.Type.Nullable || !first
			all, origin[f.Name] = append(all, f), path
			continue
		}
		if !unites(all[i].Type, f.Type) {
			return nil, fmt.Errorf("field %q is %v in %s, and %v in %s: read them apart, or convert one of them", f.Name, all[i].Type, origin[f.Name], f.Type, path)
		}
		all[i].Type = union(all[i].Type, f.Type)
	}
	return all, nil
}

// unites says whether one type can hold the values of both, and is not just any.
func unites(t, u record.Type) bool {
	number := func(k record.Kind) bool { return k == record.Int || k == record.Float }
	switch {
	case t.Kind == record.Any || u.Kind == record.Any: // a column of nothing but null
		return true
	case t.Kind == record.List && u.Kind == record.List:
		return unites(*t.Elem, *u.Elem)
	case t.Kind == record.Struct && u.Kind == record.Struct:
		for _, f := range t.Fields {
			if i := record.Schema(u.Fields).Index(f.Name); i >= 0 && !unites(f.Type, u.Fields[i].Type) {
				return false
			}
		}
		return true
	}
	return t.Kind == u.Kind || number(t.Kind) && number(u.Kind)
}

// union is the type that holds both, which unite. A column of nothing but null says nothing of
// its type.
func union(t, u record.Type) record.Type {
	null := t.Nullable || u.Nullable
	switch {
	case t.Kind == record.Any:
		t = u
	case u.Kind == record.Any:
	case t.Kind == record.List:
		elem := union(*t.Elem, *u.Elem)
		t.Elem = &elem
	case t.Kind == record.Struct:
		fields := slices.Clone(t.Fields)
		for i := range fields {
			if k := record.Schema(u.Fields).Index(fields[i].Name); k >= 0 {
				fields[i].Type = union(fields[i].Type, u.Fields[k].Type)
			} else {
				fields[i].Type.Nullable = true
			}
		}
		for _, f := range u.Fields {
			if record.Schema(fields).Index(f.Name) < 0 {
				f.Type.Nullable = true
				fields = append(fields, f)
			}
		}
		t.Fields = fields
	case t.Kind != u.Kind:
		t.Kind = record.Float
	}
	t.Nullable = null
	return t
}

// parquetFile is an open file.
type parquetFile struct {
	*parquetrow.File
	close func() error
	size  int64
}

func openParquet(path string) (*parquetFile, error) {
	in, info, err := files.OpenPlain(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		in.Close()
		return nil, fmt.Errorf("%s: Parquet is read from its end, and this is no regular file", path)
	}
	f, err := parquetrow.Open(in, info.Size())
	if err != nil {
		in.Close()
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return &parquetFile{File: f, close: in.Close, size: info.Size()}, nil
}

func parquetRows(t *Table, name string, fields []string) connector.Source[record.Row] {
	return &parquetSource{table: t, name: name, fields: fields}
}

type parquetSource struct {
	table  *Table
	name   string
	fields []string
}

func (s *parquetSource) Name() string  { return s.name }
func (s *parquetSource) Bounded() bool { return true }

// Timed says whether batches have event times.
func (s *parquetSource) Timed() bool { return s.table.config.Time != nil }

// Validate gives what is wrong with the fields.
func (s *parquetSource) Validate() error {
	var problems []error
	schema := s.table.schema
	for _, name := range s.fields {
		if schema.Index(name) < 0 {
			problems = append(problems, fmt.Errorf("there is no field %q, but %s", name, strings.Join(schema.Names(), ", ")))
		}
	}
	if at := s.table.config.Time; at != nil {
		path := parquetrow.Path(schema, at.Field)
		if path == nil {
			problems = append(problems, fmt.Errorf("event time: there is no field %q, but %s", at.Field, strings.Join(schema.Names(), ", ")))
		} else if t := parquetrow.TypeAt(schema, path); !timely(t.Kind, at.Layout) {
			problems = append(problems, fmt.Errorf("event time %q is %v, declared as %v", at.Field, t, at.Layout))
		}
	}
	return errors.Join(problems...)
}

// timely says whether values of a kind can be read as times in a layout. A timestamp is one in
// any.
func timely(k record.Kind, l timestamp.Layout) bool {
	switch k {
	case record.Int, record.Float:
		return l.IsNumber()
	}
	return k == record.Time || k == record.String || k == record.Any
}

func (s *parquetSource) Splits(context.Context) ([]connector.Split[record.Row], error) {
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	t := s.table
	if !t.config.SplitPerFile {
		return []connector.Split[record.Row]{&parquetSplit{s, strings.Join(t.config.Paths, ", "), t.files}}, nil
	}
	var splits []connector.Split[record.Row]
	for _, path := range t.files {
		splits = append(splits, &parquetSplit{s, path, []string{path}})
	}
	return splits, nil
}

type parquetSplit struct {
	source *parquetSource
	name   string
	files  []string
}

func (s *parquetSplit) Name() string { return s.name }

func (s *parquetSplit) Open(context.Context) (connector.Reader[record.Row], error) {
	r := newParquetReader(s)
	if s.source.table.config.Parallel > 1 {
		return &parquetAhead{in: r}, nil
	}
	return r, nil
}
