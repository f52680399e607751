import { RASTER } from '@platen/resources/printer-schema.ts'
import { z } from 'zod'
import { MANAGERS } from '../caller.ts'
import { operation } from '../operation/operation.ts'
import { runCommand } from './run-command.ts'

const FOUND_PRINTERS = z.object({
  data: z.array(
    z
      .object({
        name: z.string(),
        uri: z.string(),
        /** Empty if the printer does not announce it. */
        model: z.string(),
        /** Null if the printer does not announce it. */
        supportsPdf: z.boolean().nullable(),
        /** Null if the model is not known, or the agent does not draw in its language. */
        raster: RASTER.nullable(),
        /** The printer announces a language of office printers, so it must not be asked for its language. */
        hasPageLanguage: z.boolean(),
        /** Null if the model is not known. */
        language: z.string().nullable(),
      })
      .meta({ id: 'FoundPrinter' }),
  ),
})

export const findNetworkPrinters = operation({
  operationId: 'findNetworkPrinters',
  method: 'post',
  path: '/account/computers/{id}/printer-search',
  ids: { id: 'computer' },
  scope: null,
  credential: 'session',
  tenant: 'mode',
  roles: MANAGERS,
  // The agent sends packets into the network of its owner.
  needsRecentSignIn: () => true,
  tag: 'Account',
  summary: 'Find network printers',
  description: 'The agent of the computer searches its networks for printers, for 3 s.',
  errors: ['command_failed'],
  answer: { status: 200, description: 'The printers, by name.', schema: FOUND_PRINTERS },
  handle:
    (gateway) =>
    async ({ tenant, ids }) => {
      const { printers } = await runCommand(gateway, { ...tenant, computerId: ids.id }, 'findPrinters', {})
      return {
        data: printers.map(({ name, uri, model, supportsPdf, raster, hasPageLanguage }) => ({
          name,
          uri,
          model,
          supportsPdf: supportsPdf ?? null,
          raster:
            raster?.dpi && raster.width
              ? { rawLanguage: raster.rawLanguage, dpi: raster.dpi, width: raster.width }
              : null,
          hasPageLanguage,
          language: raster?.rawLanguage ?? null,
        })),
      }
    },
})
