import { RAW_LANGUAGES } from '@platen/proto/raw-languages.ts'
import { z } from 'zod'
import { MANAGERS } from '../caller.ts'
import { operation } from '../operation/operation.ts'
import { jsonBody } from '../request/json-body-schema.ts'
import { required } from '../required.ts'
import { runCommand } from './run-command.ts'

/** The agent checks the values. */
const LANGUAGE = jsonBody({
  /** Null: the agent asks nothing, and draws only for a printer that it recognizes. */
  language: z.enum(RAW_LANGUAGES).nullable().meta({ example: 'zpl' }),
  dpi: z.int().min(1).max(10_000).optional(),
  width: z.int().min(1).max(10_000).optional(),
})

export const setPrinterLanguage = operation({
  operationId: 'setPrinterLanguage',
  method: 'post',
  path: '/account/printers/{id}/language',
  ids: { id: 'printer' },
  scope: null,
  credential: 'session',
  tenant: 'mode',
  roles: MANAGERS,
  tag: 'Account',
  summary: 'Set the language of a raw printer',
  description:
    'The agent asks the printer in this language, and draws PDFs and images if it can. The printer shows it when the agent has reported it.',
  body: LANGUAGE,
  errors: ['command_failed'],
  answer: { status: 204, description: 'The language is set.' },
  handle:
    (gateway) =>
    async ({ tenant, ids, body: { language, dpi, width } }) => {
      const { printer } = await gateway.devices.getPrinter({ ...tenant, printerId: ids.id })
      const { computerId, osName } = required(printer)
      const raster = language === null ? undefined : { rawLanguage: language, dpi, width }
      await runCommand(gateway, { ...tenant, computerId }, 'setPrinterLanguage', { osName, raster })
    },
})
