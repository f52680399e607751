import type { Migration } from '@platen/runtime/database/migrate.ts'
import { CREATE_JOBS } from './0001-schema.ts'
import { ADD_STORED_BYTES } from './0002-stored-bytes.ts'
import { ADD_ACTORS } from './0003-actors.ts'
import { ADD_EVENT_CURSOR } from './0004-event-cursor.ts'
import { ADD_LIST_INDEXES } from './0005-list-indexes.ts'
import { ADD_FETCH_INDEXES } from './0006-fetch-indexes.ts'
import { ADD_DOCUMENT_INDEX } from './0007-document-index.ts'
import { ADD_NUMBERS } from './0008-numbers.ts'
import { ADD_RETENTION } from './0009-retention.ts'
import { ADD_CREATORS } from './0010-creators.ts'
import { ADD_SEARCH } from './0011-search.ts'
import { ADD_INTERFACE } from './0012-interface.ts'
import { ADD_ENDED_JOBS } from './0013-ended-jobs.ts'
import { ADD_CONFIRMATIONS } from './0014-confirmations.ts'
import { ADD_METADATA } from './0015-metadata.ts'
import { ADD_HELD_JOBS } from './0016-held-jobs.ts'
import { ADD_BATCHES } from './0018-batches.ts'

export const MIGRATIONS: Migration[] = [
  { name: '0001-schema', statements: CREATE_JOBS },
  { name: '0002-stored-bytes', statements: ADD_STORED_BYTES },
  { name: '0003-actors', statements: ADD_ACTORS },
  { name: '0004-event-cursor', statements: ADD_EVENT_CURSOR },
  { name: '0005-list-indexes', statements: ADD_LIST_INDEXES },
  { name: '0006-fetch-indexes', statements: ADD_FETCH_INDEXES },
  { name: '0007-document-index', statements: ADD_DOCUMENT_INDEX },
  { name: '0008-numbers', statements: ADD_NUMBERS },
  { name: '0009-retention', statements: ADD_RETENTION },
  { name: '0010-creators', statements: ADD_CREATORS },
  { name: '0011-search', statements: ADD_SEARCH },
  { name: '0012-interface', statements: ADD_INTERFACE },
  { name: '0013-ended-jobs', statements: ADD_ENDED_JOBS },
  { name: '0014-confirmations', statements: ADD_CONFIRMATIONS },
  { name: '0015-metadata', statements: ADD_METADATA },
  { name: '0016-held-jobs', statements: ADD_HELD_JOBS },
  { name: '0018-batches', statements: ADD_BATCHES },
]
