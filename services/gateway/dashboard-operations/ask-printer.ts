import { DRAWN_LANGUAGES } from '@platen/proto/raw-languages.ts'
import { z } from 'zod'
import { MANAGERS } from '../caller.ts'
import { operation } from '../operation/operation.ts'
import { jsonBody } from '../request/json-body-schema.ts'
import { runCommand } from './run-command.ts'

const PRINTER = jsonBody({
  /** A printer of the computer. */
  osName: z.string().min(1).max(1_024).optional(),
  /** A printer that is not added. The agent checks it. */
  uri: z.string().min(1).max(1_024).optional().meta({ example: 'socket://192.168.0.9:9100' }),
}).refine(({ osName, uri }) => (osName === undefined) !== (uri === undefined), {
  error: 'The body must have either `osName` or `uri`.',
})

const ANSWER = z
  .object({
    /** Null if the printer answers in none of the languages. */
    language: z.enum(DRAWN_LANGUAGES).nullable(),
    /** Null if the printer does not say it. */
    dpi: z.int().nullable(),
    width: z.int().nullable(),
  })
  .meta({ id: 'AskedPrinter' })

export const askPrinter = operation({
  operationId: 'askPrinter',
  method: 'post',
  path: '/account/computers/{id}/printer-questions',
  ids: { id: 'computer' },
  scope: null,
  credential: 'session',
  tenant: 'mode',
  roles: MANAGERS,
  // The agent opens the address in the network of its owner.
  needsRecentSignIn: () => true,
  tag: 'Account',
  summary: 'Ask a raw printer for its language',
  description: 'A printer of another language may print a few characters. Nothing is set.',
  body: PRINTER,
  errors: ['command_failed'],
  answer: { status: 200, description: 'What the printer says of itself.', schema: ANSWER },
  handle:
    (gateway) =>
    async ({ tenant, ids, body: { osName, uri = '' } }) => {
      const printer =
        osName === undefined ? { case: 'uri' as const, value: uri } : { case: 'osName' as const, value: osName }
      const { raster } = await runCommand(gateway, { ...tenant, computerId: ids.id }, 'askPrinter', { printer })
      const language = DRAWN_LANGUAGES.find((one) => one === raster?.rawLanguage) ?? null
      return { language, dpi: raster?.dpi ?? null, width: raster?.width ?? null }
    },
})
