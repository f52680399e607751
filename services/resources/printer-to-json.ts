/** Reference: docs/reference/printers.md#the-printer-object. */
import { create } from '@bufbuild/protobuf'
import type { Printer } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import {
  type PaperSize,
  type PrinterCapabilities,
  PrinterCapabilitiesSchema,
} from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'
import type { PrinterJson } from './printer-schema.ts'
import { timestampToJson } from './timestamp-to-json.ts'

export function printerToJson(printer: Printer) {
  return {
    id: printer.id,
    number: printer.number,
    computerId: printer.computerId,
    name: printer.name,
    osName: printer.osName,
    description: printer.description,
    displayName: printer.displayName,
    remarks: printer.remarks ?? null,
    enabled: printer.enabled,
    isDefault: printer.isDefault,
    state: printer.state,
    stateDetail: printer.stateDetail,
    stateReasons: printer.stateReasons,
    capabilities: capabilitiesToJson(printer.capabilities ?? create(PrinterCapabilitiesSchema)),
    defaultOptions: printer.defaultOptions ?? {},
    customPapers: printer.customPapers.map(({ name, width, height }) => ({ name, width, height })),
    createdAt: timestampToJson(printer.createdAt),
    updatedAt: timestampToJson(printer.updatedAt),
  } satisfies Record<keyof PrinterJson, unknown>
}

function capabilitiesToJson(capabilities: PrinterCapabilities) {
  const { papers, extent, printrate, raster } = capabilities
  return {
    papers: Object.fromEntries(papers.map(({ name, size }) => [name, sizeToJson(size)])),
    bins: capabilities.bins,
    dpis: capabilities.dpis,
    medias: capabilities.medias,
    extent: extent ? [sizeToJson(extent.min), sizeToJson(extent.max)] : null,
    printrate: printrate ? { rate: printrate.rate, unit: printrate.unit } : null,
    duplex: capabilities.duplex,
    color: capabilities.color,
    collate: capabilities.collate,
    copies: capabilities.copies,
    nup: capabilities.nup,
    supports_custom_paper_size: capabilities.supportsCustomPaperSize,
    rasterizes: capabilities.rasterizes,
    formats: capabilities.formats?.names ?? null,
    raster: raster ? { rawLanguage: raster.rawLanguage, dpi: raster.dpi, width: raster.width } : null,
  } satisfies Record<keyof PrinterJson['capabilities'], unknown>
}

/** `[width, height]` in tenths of a millimetre. */
function sizeToJson(size: PaperSize | undefined) {
  return [size?.width ?? null, size?.height ?? null]
}
