/** Entity to proto. `rpc/summarize-devices.ts` maps the few columns that it reads. */
import { create, fromJson } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { AgentUpdateSchema, ComputerSchema, PrinterSchema } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { timestampOrNone } from '@platen/proto/timestamps.ts'
import type { Computer, Printer } from './entities.ts'
import { readCapabilities } from './stored-capabilities.ts'

export function computerToProto(computer: Computer) {
  return create(ComputerSchema, {
    id: computer.id,
    number: computer.number,
    organizationId: computer.organizationId,
    mode: computer.mode,
    name: computer.name,
    hostname: computer.hostname,
    os: computer.os,
    osVersion: computer.osVersion,
    arch: computer.arch,
    agentVersion: computer.agentVersion,
    agentUpdate: computer.agentUpdate ? fromJson(AgentUpdateSchema, computer.agentUpdate) : undefined,
    state: computer.state,
    pausedAt: timestampOrNone(computer.pausedAt),
    unauthorizedAt: timestampOrNone(computer.unauthorizedAt),
    lastSeenAt: timestampOrNone(computer.lastSeenAt),
    createdAt: timestampFromDate(computer.createdAt),
  })
}

/** The state is `unknown` while the computer is offline. */
export const toShownState = (computerState: Computer['state'], reported: Printer['reportedState']) =>
  computerState === 'online' ? reported : 'unknown'

/** @param printer with its computer loaded. */
export function printerToProto(printer: Printer) {
  return create(PrinterSchema, {
    id: printer.id,
    number: printer.number,
    organizationId: printer.organizationId,
    mode: printer.mode,
    computerId: printer.computer.id,
    name: printer.name,
    osName: printer.osName,
    description: printer.description,
    displayName: printer.displayName,
    remarks: printer.remarks ?? undefined,
    enabled: printer.enabled,
    isDefault: printer.isDefault,
    state: toShownState(printer.computer.state, printer.reportedState),
    stateDetail: printer.stateDetail,
    stateReasons: printer.stateReasons,
    capabilities: readCapabilities(printer),
    defaultOptions: printer.defaultOptions,
    customPapers: printer.customPapers,
    createdAt: timestampFromDate(printer.createdAt),
    updatedAt: timestampFromDate(printer.updatedAt),
  })
}
