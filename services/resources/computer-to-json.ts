/** Reference: docs/reference/computers.md#the-computer-object. */
import type { Computer } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import type { ComputerJson } from './computer-schema.ts'
import { timestampToJson } from './timestamp-to-json.ts'

export function computerToJson(computer: Computer) {
  return {
    id: computer.id,
    number: computer.number,
    name: computer.name,
    hostname: computer.hostname,
    os: computer.os,
    osVersion: computer.osVersion,
    arch: computer.arch,
    agentVersion: computer.agentVersion,
    agentUpdate: computer.agentUpdate
      ? {
          automatic: computer.agentUpdate.automatic,
          failedVersion: computer.agentUpdate.failedVersion ?? null,
          failure: computer.agentUpdate.failure ?? null,
        }
      : null,
    state: computer.state,
    mode: computer.mode,
    pausedAt: timestampToJson(computer.pausedAt),
    unauthorizedAt: timestampToJson(computer.unauthorizedAt),
    lastSeenAt: timestampToJson(computer.lastSeenAt),
    createdAt: timestampToJson(computer.createdAt),
  } satisfies Record<keyof ComputerJson, unknown>
}
