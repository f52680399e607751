/** Documents, deliveries and events of one job. */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createApi } from '@platen/test/harness/api.ts'
import { newWebhookReceiver } from './webhooks.test.ts'
import { waitFor } from '@platen/test/harness/wait-for.ts'
import { expect, test } from 'vitest'
import { addGateway, base64, expectError, INLINE_BYTES, newPrinting, pdfContent } from '../client.ts'
