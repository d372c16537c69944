# Makes a Parquet file of the CSV file of P4c, with all its columns, as DuckDB writes one by default:
# convert.py IN OUT.
import sys

import duckdb

source, target = sys.argv[1:]
duckdb.execute(f"""
    COPY (
        FROM read_csv('{source}', header = true, delim = ',', quote = '"', columns = {{
            "id": "BIGINT", "vehicle": "VARCHAR", "at": "TIMESTAMP", "speed": "DOUBLE", "lat": "DOUBLE", "lon": "DOUBLE",
            "battery": "BIGINT", "city": "VARCHAR", "street": "VARCHAR", "online": "BOOLEAN"}})
    ) TO '{target}' (FORMAT parquet)
""")
