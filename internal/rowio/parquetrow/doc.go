// Package parquetrow reads rows from Parquet files, and writes them.
//
// What the types of Parquet become:
//
//   - integers of all sizes are integers. One of 64 bits without sign that is above
//     9223372036854775807 makes its row malformed, since it would otherwise change its value or
//     its type; floats of 16, 32 and 64 bits are numbers, booleans booleans.
//   - Byte arrays that are marked as text (string, JSON, enum) are strings, and a row whose text is
//     not UTF-8 is malformed; all others are bytes. A UUID is a string such as
//     6ba7b810-9dad-11d1-80b4-00c04fd430c8.
//   - Decimals are strings with all their digits, so many after the point as the type says:
//     12.50 of a decimal(9, 2). Cast what shall be a number.
//   - Timestamps are timestamps, whatever their unit; nanoseconds are cut towards the past, as
//     everywhere (S1.1). One without a zone is taken as UTC. So are the old ones of 96 bits. A
//     date is the timestamp at which it begins in UTC, a time of day a string such as 01:30:00.5.
//   - Groups are objects, lists are lists, also those of old writers and fields that just repeat; a
//     map is a list of objects {key, value}.
//
// A file is read row group by row group, and of it the pages of the columns in use; memory
// holds a page of each. Nothing that a file claims is believed before it is compared with how
// large the file is: what is damaged is an error with the row group and the column.
//
// Layer: under internal/rowio. It knows no files, only an [io.ReaderAt], and no event time. It
// starts no goroutine.
package parquetrow
