/**
 * Capabilities of printers in the database. Fields that the release 0.1.0 cannot read have a column of their own, so
 * that an upgrade from it can be taken back.
 */
import { create, fromJson, type JsonObject, type MessageInitShape, toJson } from '@bufbuild/protobuf'
import { type PrinterCapabilities, PrinterCapabilitiesSchema } from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'

const NEWER = ['rasterizes', 'formats', 'raster', 'language']

export interface StoredCapabilities {
  capabilities: JsonObject
  newerCapabilities: JsonObject
}

/** @param init undefined for a printer whose capabilities are not known. */
export function storeCapabilities(
  init: MessageInitShape<typeof PrinterCapabilitiesSchema> | undefined,
): StoredCapabilities {
  const all = Object.entries(toJson(PrinterCapabilitiesSchema, create(PrinterCapabilitiesSchema, init)) as JsonObject)
  const select = (isNewer: boolean) =>
    Object.fromEntries(all.filter(([field]) => NEWER.includes(field) === isNewer)) as JsonObject
  return { capabilities: select(false), newerCapabilities: select(true) }
}

/** Ignores fields of a newer release, which has been taken back. */
export const readCapabilities = ({ capabilities, newerCapabilities }: StoredCapabilities): PrinterCapabilities =>
  fromJson(PrinterCapabilitiesSchema, { ...capabilities, ...newerCapabilities }, { ignoreUnknownFields: true })
