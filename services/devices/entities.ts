import type { JsonObject } from '@bufbuild/protobuf'
import { defineEntity, type InferEntity, p } from '@mikro-orm/core'

/**
 * A computer that runs the agent.
 *
 * - `online`: an authenticated stream has said hello.
 * - `offline`: that stream was shut down cleanly, has been gone for 30 s, or has been silent for 60 s.
 *
 * Reference: docs/reference/computers.md#states.
 */
export type ComputerState = 'online' | 'offline'

export const ComputerEntity = defineEntity({
  name: 'Computer',
  tableName: 'computer',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    mode: p.text(),
    name: p.text(),
    hostname: p.text(),
    os: p.text(),
    osVersion: p.text(),
    arch: p.text(),
    agentVersion: p.text(),
    state: p.text().$type<ComputerState>(),
    credentialSha256: p.blob(),
    /** It is in no list and answers 404; its agent is told why it is refused. */
    deletedAt: p.datetime().nullable(),
    lastSeenAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    /** Set by the database: see `runtime/database/commit-order.ts`. */
    listPlace: p.bigint().defaultRaw('devices.place_of(pg_current_xact_id())'),
  },
})

export const PrinterEntity = defineEntity({
  name: 'Printer',
  tableName: 'printer',
  properties: {
    id: p.uuid().primary(),
    computer: () => p.manyToOne(ComputerEntity),
    organizationId: p.uuid(),
    mode: p.text(),
    /** With the computer, what makes it the same printer at the next report. */
    osName: p.text(),
    name: p.text(),
    description: p.text(),
    displayName: p.text(),
    remarks: p.text().nullable(),
    enabled: p.boolean(),
    isDefault: p.boolean(),
    /** As last reported; while the computer is offline nobody knows. */
    reportedState: p.text().$type<'online' | 'offline'>(),
    stateDetail: p.text(),
    stateReasons: p.array(),
    /** `platen.devices.v1.PrinterCapabilities` as JSON. */
    capabilities: p.json<JsonObject>(),
    defaultOptions: p.json<JsonObject>(),
    customPapers: p.json<{ name: string; width: number; height: number }[]>(),
    /** Missing from the newest report: it is in no list and answers 404, but its jobs stay readable. */
    removedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    /** Set by the database: see `runtime/database/commit-order.ts`. */
    listPlace: p.bigint().defaultRaw('devices.place_of(pg_current_xact_id())'),
  },
})

/** A token with which agents enrol live computers. Its SHA-256 is never read into an entity. */
export const EnrollmentEntity = defineEntity({
  name: 'Enrollment',
  tableName: 'enrollment',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    maxUses: p.integer(),
    uses: p.integer(),
    expiresAt: p.datetime(),
    createdAt: p.datetime(),
    /** Set by the database: see `runtime/database/commit-order.ts`. */
    listPlace: p.bigint().defaultRaw('devices.place_of(pg_current_xact_id())'),
  },
})

export type Computer = InferEntity<typeof ComputerEntity>
export type Printer = InferEntity<typeof PrinterEntity>
