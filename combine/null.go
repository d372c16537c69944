package combine

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// Null is a value or null. Its zero value is null, and V is zero in a null, so that nulls are
// equal by == where T is comparable. It converts to and from database/sql's Null. In JSON it is
// the value, or null.
type Null[T any] struct {
	V     T
	Valid bool
}

// Some gives v as a Null that is not null.
func Some[T any](v T) Null[T] { return Null[T]{V: v, Valid: true} }

// String gives the value as fmt prints it, or null.
func (n Null[T]) String() string {
	if !n.Valid {
		return "null"
	}
	return fmt.Sprint(n.V)
}

// IsNull says that it is null: a join matches it with nothing (S7.4).
func (n Null[T]) IsNull() bool { return !n.Valid }

// MarshalJSON implements json.Marshaler.
func (n Null[T]) MarshalJSON() ([]byte, error) {
	if !n.Valid {
		return []byte("null"), nil
	}
	return json.Marshal(n.V)
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *Null[T]) UnmarshalJSON(b []byte) error {
	*n = Null[T]{}
	if bytes.Equal(b, []byte("null")) {
		return nil
	}
	var v T
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	n.set(v)
	return nil
}

func (n *Null[T]) set(v T) { n.V, n.Valid = v, true }

// orEmpty gives the value, or ErrEmpty for null: the Extract of the combiners whose accumulator
// is the value so far, if any.
func (n *Null[T]) orEmpty() (T, error) {
	if !n.Valid {
		return n.V, ErrEmpty
	}
	return n.V, nil
}
