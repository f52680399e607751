/** In their order; a migration that was released is never changed. */
import type { MigrationList } from '@platen/runtime/database/migrate.ts'
import { CreateWebhooks } from './0001-webhooks.ts'
import { IndexEndpointSweeps } from './0020-endpoint-sweeps.ts'
import { AddDeliveryEngine } from './0030-delivery-engine.ts'
import { AddNotices } from './0040-notices.ts'
import { CreateLogCursor } from './0050-log-cursor.ts'
import { AddDeliveryPlaces } from './0060-delivery-places.ts'

export const MIGRATIONS: MigrationList = [
  { name: '0001-webhooks', class: CreateWebhooks },
  { name: '0020-endpoint-sweeps', class: IndexEndpointSweeps },
  { name: '0030-delivery-engine', class: AddDeliveryEngine },
  { name: '0040-notices', class: AddNotices },
  { name: '0050-log-cursor', class: CreateLogCursor },
  { name: '0060-delivery-places', class: AddDeliveryPlaces },
]
