"""Files of pairs, of suggestions, of candidates and of results: every reader once."""

from usim.records._pairs import PairTable, parallel_files, read_pair, read_table
from usim.records._record import BadRecord, Columns, Line, Part, Record, RecordError, bad_record, lines, read_sentences
from usim.records.formats import FORMATS, Format, find_format, format_of, read_record, read_rows, read_suggestions
from usim.records.tables import unmarked

__all__ = [
    "FORMATS",
    "BadRecord",
    "Columns",
    "Format",
    "Line",
    "PairTable",
    "Part",
    "Record",
    "RecordError",
    "bad_record",
    "find_format",
    "format_of",
    "lines",
    "parallel_files",
    "read_pair",
    "read_record",
    "read_rows",
    "read_sentences",
    "read_suggestions",
    "read_table",
    "unmarked",
]
