/** `PATCH /v1/printers/{id}`. Source: specification, "Printers". */
import type { JsonObject } from '@bufbuild/protobuf'
import { printerToJson } from '@platen/resources/printer-to-json.ts'
import { type RouteStep, tenantOf } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { required } from '../json/required.ts'
import type { Printers } from '../printers.ts'
import { pathId } from '../request/path-id.ts'
import { PRINTER_CHANGES } from '../request/printer-changes.ts'
import { readJson } from '../request/read-json.ts'

export function updatePrinter({ devices }: Gateway, printers: Printers): RouteStep {
  return async (ctx) => {
    const { displayName, enabled, remarks, defaultOptions, customPapers } = await readJson(ctx, PRINTER_CHANGES)
    const printerId = pathId(ctx, 'printer')
    try {
      const { printer } = await devices.updatePrinter({
        ...tenantOf(ctx),
        printerId,
        displayName,
        enabled,
        remarks: remarks === undefined ? undefined : { text: remarks ?? undefined },
        defaultOptions: defaultOptions as JsonObject | undefined,
        customPapers: customPapers && { papers: customPapers },
      })
      ctx.body = printerToJson(required(printer))
    } finally {
      // Also when the answer got lost: it may have been changed.
      printers.delete(tenantOf(ctx), printerId)
    }
  }
}
