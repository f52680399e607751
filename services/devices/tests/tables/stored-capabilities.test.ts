import { readFileSync } from 'node:fs'
import { create, createFileRegistry, fromBinary, fromJson } from '@bufbuild/protobuf'
import { FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt'
import { VIRTUAL_PRINTERS } from '@platen/agent/spoolers/virtual/printers.ts'
import { PrinterCapabilitiesSchema } from '@platen/proto/gen/platen/devices/v1/printer_pb.ts'
import { expect, test } from 'vitest'
import { readCapabilities, storeCapabilities } from '../../stored-capabilities.ts'

/** The contracts of the release before. */
const RELEASED = createFileRegistry(
  fromBinary(FileDescriptorSetSchema, readFileSync(new URL('../../../../proto/released.binpb', import.meta.url))),
)

test('the release before reads the capabilities that this one stores, and this one reads all of them', () => {
  const released = RELEASED.getMessage(PrinterCapabilitiesSchema.typeName) ?? expect.fail()
  for (const { capabilities } of VIRTUAL_PRINTERS) {
    const stored = storeCapabilities(capabilities)
    expect(() => fromJson(released, stored.capabilities)).not.toThrow()
    expect(readCapabilities(stored)).toEqual(create(PrinterCapabilitiesSchema, capabilities))
  }
})

test('capabilities of a newer release, which has been taken back, are read without what is unknown', () => {
  const stored = { capabilities: { color: true }, newerCapabilities: { folds: ['letter'] } }
  expect(readCapabilities(stored)).toEqual(create(PrinterCapabilitiesSchema, { color: true }))
})
