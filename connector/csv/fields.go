package csv

import (
	"fmt"
	"reflect"
	"strings"
)

// field is a field of a struct that is a column.
type field struct {
	name     string
	offset   uintptr
	goType   reflect.Type
	optional bool
	set      setter // nil if it is not asked for
	append   appender
}

// access says what a field is to be used for.
type access uint8

const (
	toRead access = iota
	toWrite
)

// fieldsOf gives the columns of a struct type, in order.
func fieldsOf(t reflect.Type, to access) ([]field, error) {
	if t.Kind() != reflect.Struct || isText(t) || nullable(t) != nil {
		return nil, fmt.Errorf("records are structs with a field for each column, and %v is none", t)
	}
	fields, err := gather(nil, t, "", 0, to)
	if err != nil {
		return nil, err
	}
	if to == toWrite && len(fields) == 0 {
		return nil, fmt.Errorf("%v has no field that could be a column", t)
	}
	return fields, nil
}

// gather appends the fields of a struct whose columns' names begin with prefix.
func gather(fields []field, t reflect.Type, prefix string, offset uintptr, to access) ([]field, error) {
	for f := range t.Fields() {
		tag, tagged := f.Tag.Lookup("csv")
		name, options, _ := strings.Cut(tag, ",")
		if tag == "-" || !f.IsExported() && !f.Anonymous {
			if tagged && tag != "-" {
				return nil, fmt.Errorf("field %s of %v has a csv tag, and is not exported", f.Name, t)
			}
			continue
		}
		inner := prefix
		if name == "" {
			name = f.Name
		}
		if !f.Anonymous || tag != "" {
			inner += name + "."
		}
		it := field{name: prefix + name, offset: offset + f.Offset, goType: f.Type}
		for option := range strings.SplitSeq(options, ",") {
			switch option {
			case "":
			case "optional":
				it.optional = true
			default:
				return nil, fmt.Errorf("field %s of %v: there is no option %q, only optional", f.Name, t, option)
			}
		}
		var err error
		if to == toRead {
			it.set, err = setterOf(f.Type)
		} else {
			it.append, err = appenderOf(f.Type)
		}
		switch {
		case err == nil && f.IsExported():
			for _, other := range fields {
				if other.name == it.name {
					return nil, fmt.Errorf("%v has two fields for the column %q", t, it.name)
				}
			}
			fields = append(fields, it)
		case f.Type.Kind() == reflect.Struct && !isText(f.Type):
			if it.optional {
				return nil, fmt.Errorf("field %s of %v: optional is for columns, and a struct is none", f.Name, t)
			}
			if fields, err = gather(fields, f.Type, inner, it.offset, to); err != nil {
				return nil, err
			}
		case f.IsExported():
			return nil, fmt.Errorf("field %s of %v: %w", f.Name, t, err)
		}
	}
	return fields, nil
}
