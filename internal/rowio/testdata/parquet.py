"""Makes the Parquet files of this directory with pyarrow and DuckDB, other implementations.

    python3 -m venv venv && venv/bin/pip install pyarrow duckdb && venv/bin/python parquet.py

The values are written here by hand, and once more in parquet_test.go.
"""

import decimal
import datetime as dt
import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

D = decimal.Decimal
utc = dt.timezone.utc
AT = dt.datetime(2026, 3, 29, 0, 30, 0, 500000, tzinfo=utc)
OLD = dt.datetime(1969, 12, 31, 23, 59, 59, 999000, tzinfo=utc)


def table(**columns):
    return pa.table(
        [pa.array(v, t) for t, v in columns.values()],
        schema=pa.schema([pa.field(n, t) for n, (t, _) in columns.items()]),
    )


kinds = table(
    b=(pa.bool_(), [True, False, None]),
    i8=(pa.int8(), [-128, 127, None]),
    i16=(pa.int16(), [-32768, 32767, None]),
    i32=(pa.int32(), [-2147483648, 2147483647, None]),
    i64=(pa.int64(), [-9223372036854775808, 9223372036854775807, None]),
    u8=(pa.uint8(), [0, 255, None]),
    u16=(pa.uint16(), [0, 65535, None]),
    u32=(pa.uint32(), [0, 4294967295, None]),
    u64=(pa.uint64(), [0, 9223372036854775807, None]),
    f16=(pa.float16(), [0.5, -65504.0, None]),
    f32=(pa.float32(), [0.5, float("inf"), None]),
    f64=(pa.float64(), [0.1, float("nan"), None]),
    s=(pa.string(), ["ä", "", None]),
    bin=(pa.binary(), [b"\x00\xff", b"", None]),
    fix=(pa.binary(3), [b"abc", b"\x00\x01\x02", None]),
    d9=(pa.decimal128(9, 2), [D("12.50"), D("-0.07"), None]),
    d18=(pa.decimal128(18, 0), [D("-123456789012345678"), D("0"), None]),
    d38=(pa.decimal128(38, 10), [D("1234567890123456789012345678.0123456789"), D("-0.0000000001"), None]),
    date=(pa.date32(), [dt.date(2026, 3, 29), dt.date(1969, 12, 31), None]),
    ms=(pa.timestamp("ms", "UTC"), [AT, OLD, None]),
    us=(pa.timestamp("us", "Europe/Berlin"), [AT, OLD, None]),
    ns=(pa.timestamp("ns", "UTC"), [1774744200500000999, -1, None]),
    local=(pa.timestamp("us"), [AT.replace(tzinfo=None), OLD.replace(tzinfo=None), None]),
    t32=(pa.time32("ms"), [dt.time(1, 30, 0, 500000), dt.time(0), None]),
    t64=(pa.time64("us"), [dt.time(23, 59, 59, 999999), dt.time(0), None]),
    nothing=(pa.null(), [None, None, None]),
)

point = pa.struct([pa.field("lat", pa.float64(), nullable=False), ("name", pa.string())])
nested = table(
    id=(pa.int64(), [1, 2, 3, 4]),
    point=(point, [{"lat": 50.5, "name": "a"}, {"lat": -1.0, "name": None}, None, {"lat": 0.0, "name": ""}]),
    tags=(pa.list_(pa.string()), [["x", None, "y"], [], None, ["z"]]),
    grid=(pa.list_(pa.list_(pa.int32())), [[[1, 2], [], None, [3]], None, [], [[None]]]),
    points=(pa.list_(point), [[{"lat": 1.0, "name": "p"}, None], [], [{"lat": 2.0, "name": None}], None]),
    attrs=(pa.map_(pa.string(), pa.int64()), [[("a", 1), ("b", None)], [], None, [("c", 3)]]),
    deep=(
        pa.struct([("list", pa.list_(pa.struct([("m", pa.map_(pa.string(), pa.list_(pa.int64())))])))]),
        [{"list": [{"m": [("k", [1, 2])]}, {"m": None}]}, {"list": None}, None, {"list": []}],
    ),
)

pq.write_table(kinds, "kinds.parquet", version="2.6", compression="snappy", store_schema=False)
pq.write_table(kinds, "kinds2.parquet", version="2.6", compression="zstd", use_dictionary=False,
               data_page_version="2.0", store_schema=False, row_group_size=2)
pq.write_table(nested, "nested.parquet", compression="none", store_schema=False)
pq.write_table(nested, "nested2.parquet", compression="gzip", data_page_version="2.0", store_schema=False,
               row_group_size=1, data_page_size=1)
pq.write_table(nested, "oldlists.parquet", compression="brotli", use_compliant_nested_type=False, store_schema=False)
pq.write_table(table(at=(pa.timestamp("ns"), [1774744200500000999, -1, None, -9223372036854775000]),
                     n=(pa.int64(), [1, 2, 3, 4])),
               "int96.parquet", use_deprecated_int96_timestamps=True, compression="lz4", store_schema=False)
pq.write_table(table(n=(pa.int64(), [1, 2, 3]), u=(pa.uint64(), [1, 18446744073709551615, 2])), "unsigned.parquet",
               store_schema=False)

# 10,000 rows in four row groups, with columns in all encodings.
N = 10000
many = table(
    n=(pa.int64(), list(range(N))),
    key=(pa.string(), ["k%d" % (i * 7919 % 97) for i in range(N)]),
    x=(pa.float64(), [i / 8 for i in range(N)]),
    text=(pa.string(), ["text number %d" % i for i in range(N)]),
    flag=(pa.bool_(), [None if i % 5 == 0 else i % 3 == 0 for i in range(N)]),
    list=(pa.list_(pa.int32()), [list(range(i % 4)) for i in range(N)]),
)
pq.write_table(many, "many.parquet", row_group_size=2500, data_page_size=4096, store_schema=False,
               use_dictionary=["key"], compression="zstd",
               column_encoding={"n": "DELTA_BINARY_PACKED", "x": "BYTE_STREAM_SPLIT", "text": "DELTA_BYTE_ARRAY",
                                "flag": "RLE"}, data_page_version="2.0", write_page_checksum=True)

pq.write_table(table(n=(pa.int32(), [1]), a=(pa.string(), ["x"])), "union1.parquet", store_schema=False)
pq.write_table(table(b=(pa.bool_(), [True]), n=(pa.float64(), [2.5])), "union2.parquet", store_schema=False)
pq.write_table(table(n=(pa.string(), ["3"])), "union3.parquet", store_schema=False)

duckdb.sql("""
    COPY (SELECT * FROM (VALUES
        (1::UTINYINT, 'a', '6ba7b810-9dad-11d1-80b4-00c04fd430c8'::UUID, 12.50::DECIMAL(9, 2), DATE '2026-03-29',
         TIMESTAMPTZ '2026-03-29 01:30:00.5+01', TIMESTAMP_NS '2026-03-29 00:30:00.5', [1, NULL, 3], {'x': 1.5, 'y': ['p']},
         MAP {'k': 7}, '{"j": 1}'::JSON, 'red'::ENUM ('red', 'green'), 170141183460469231731687303715884105727::HUGEINT),
        (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
    ) t(u, s, id, d, day, tz, ns, l, o, m, j, e, h)) TO 'duck.parquet' (FORMAT parquet, COMPRESSION zstd)
""")
