# The query of P4, P4c and P4p in DuckDB: query.py FORMAT IN OUT THREADS. It prints how many
# nanoseconds it took.
import sys
import time

import duckdb

format, source, target, threads = sys.argv[1:]
columns = {"vehicle": "VARCHAR", "at": "TIMESTAMP", "speed": "DOUBLE"}
if format == "csv":  # where all columns are declared, or none
    columns = {"id": "BIGINT", "vehicle": "VARCHAR", "at": "TIMESTAMP", "speed": "DOUBLE", "lat": "DOUBLE", "lon": "DOUBLE",
               "battery": "BIGINT", "city": "VARCHAR", "street": "VARCHAR", "online": "BOOLEAN"}
    table = f"read_csv('{source}', header = true, delim = ',', quote = '\"', columns = {columns})"
elif format == "parquet":
    table = f"read_parquet('{source}')"
else:
    table = f"read_json('{source}', format = 'newline_delimited', columns = {columns})"
db = duckdb.connect()
db.execute(f"SET threads = {threads}")
db.execute("SET preserve_insertion_order = false")
start = time.perf_counter_ns()
db.execute(f"""
    COPY (
        SELECT vehicle, strftime(time_bucket(INTERVAL 1 MINUTE, "at"), '%Y-%m-%dT%H:%M:%SZ') AS minute, count(*) AS n, sum(speed) AS total
        FROM {table}
        GROUP BY vehicle, time_bucket(INTERVAL 1 MINUTE, "at")
    ) TO '{target}' (FORMAT csv, HEADER false)
""")
print(time.perf_counter_ns() - start)
