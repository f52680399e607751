import type { JsonObject } from '@bufbuild/protobuf'
import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import { replaceControls } from '@platen/proto/agent-bounds.ts'
import type { DestinationPolicy } from '@platen/resources/destination-schema.ts'

/**
 * A computer that runs the agent.
 *
 * - `online`: has an authenticated stream after its hello.
 * - `offline`: the stream was shut down cleanly, has been disconnected for 30 s, or has been silent for 60 s.
 *
 * Reference: docs/reference/computers.md#states.
 */
export type ComputerState = 'online' | 'offline'

export const ComputerEntity = defineEntity({
  name: 'Computer',
  tableName: 'computer',
  properties: {
    id: p.uuid().primary(),
    /** For people. Set by the database: see `migrations/release-0.2.ts`. */
    number: p.integer(),
    organizationId: p.uuid(),
    mode: p.text(),
    name: p.text(),
    hostname: p.text(),
    os: p.text(),
    osVersion: p.text(),
    arch: p.text(),
    agentVersion: p.text(),
    /** The updates in the newest message, as the API shows them. Null: the agent does not update itself. */
    agentUpdate: p.json<JsonObject>().nullable(),
    /** Why its agent cannot list the printers of the operating system, as the API shows it. Null: it can. */
    spoolerProblem: p.json<JsonObject>().nullable(),
    state: p.text().$type<ComputerState>(),
    /** Since when queued jobs wait. Null: not paused. */
    pausedAt: p.datetime().nullable(),
    /**
     * Since when its agent is refused. Null: it is not. Computed by the database: see
     * `migrations/release-0.2.ts`.
     */
    unauthorizedAt: p.datetime().nullable(),
    credentialSha256: p.blob(),
    /**
     * A credential that the agent has not adopted yet. Not read into an entity, like the next three. See
     * `agents/new-credentials.ts`.
     */
    newCredentialSha256: p.blob().nullable().lazy(),
    /** Null: since its creation. */
    credentialIssuedAt: p.datetime().nullable().lazy(),
    refusedAt: p.datetime().nullable().lazy(),
    /** Since when it has no stream, while it is still `online`. */
    disconnectedAt: p.datetime().nullable().lazy(),
    /** Deleted computers are not listed and return 404. The row stays for the error of their agents. */
    deletedAt: p.datetime().nullable(),
    /** When jobs confirmed the deletion. Not read into an entity. */
    jobsEndedAt: p.datetime().nullable().lazy(),
    lastSeenAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    /** Set by the database: see `runtime/database/commit-seq.ts`. */
    commitSeq: p.bigint().defaultRaw('devices.to_commit_seq(pg_current_xact_id())'),
  },
})

export const PrinterEntity = defineEntity({
  name: 'Printer',
  tableName: 'printer',
  properties: {
    id: p.uuid().primary(),
    /** The number has the rules of that of a computer. */
    number: p.integer(),
    computer: () => p.manyToOne(ComputerEntity),
    organizationId: p.uuid(),
    mode: p.text(),
    /** Identifies the printer of a computer in reports. */
    osName: p.text(),
    name: p.text(),
    description: p.text(),
    displayName: p.text(),
    remarks: p.text().nullable(),
    enabled: p.boolean(),
    /** Whether computers can print on it by IPP. */
    shared: p.boolean().default(false),
    isDefault: p.boolean(),
    /** The state of the last report. The API shows `unknown` while the computer is offline. */
    reportedState: p.text().$type<'online' | 'offline'>(),
    stateDetail: p.text(),
    stateReasons: p.array(),
    /** `platen.devices.v1.PrinterCapabilities` as JSON, in two parts: `stored-capabilities.ts`. */
    capabilities: p.json<JsonObject>(),
    newerCapabilities: p.json<JsonObject>(),
    defaultOptions: p.json<JsonObject>(),
    customPapers: p.json<{ name: string; width: number; height: number }[]>(),
    /** Seconds. Null: the time that applies to every printer. */
    defaultExpireAfter: p.integer().nullable(),
    /** The number of its last event. */
    sequence: p.integer(),
    /** Missing from the newest report. Removed printers are not listed and return 404. Their jobs stay readable. */
    removedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    /** Set by the database: see `runtime/database/commit-seq.ts`. */
    commitSeq: p.bigint().defaultRaw('devices.to_commit_seq(pg_current_xact_id())'),
  },
})

/** Printers of which one takes each job. Reference: docs/reference/destinations.md. */
export const DestinationEntity = defineEntity({
  name: 'Destination',
  tableName: 'destination',
  properties: {
    id: p.uuid().primary(),
    /** The number has the rules of that of a computer. */
    number: p.integer(),
    organizationId: p.uuid(),
    mode: p.text(),
    name: p.text(),
    /** The order is that of the policy `first`. A removed printer stays until it is taken out. */
    printerIds: p.array<string>().columnType('uuid[]'),
    policy: p.text().$type<DestinationPolicy>(),
    /** Seconds. */
    standbyAfter: p.integer(),
    enabled: p.boolean(),
    /** The default of its jobs, in seconds. Null: that of all jobs. */
    expireAfter: p.integer().nullable(),
    /** Grows with each change: see `destinations/claim-destination-job.ts`. */
    revision: p.bigint(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    /** Null: it exists. */
    deletedAt: p.datetime().nullable(),
    /** Set by the database: see `runtime/database/commit-seq.ts`. */
    commitSeq: p.bigint().defaultRaw('devices.to_commit_seq(pg_current_xact_id())'),
  },
})

/** A token with which agents enrol live computers. */
export const EnrollmentEntity = defineEntity({
  name: 'Enrollment',
  tableName: 'enrollment',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    /** Never read into an entity. */
    tokenSha256: p.blob().lazy(),
    maxUses: p.integer(),
    uses: p.integer().default(0),
    expiresAt: p.datetime(),
    createdAt: p.datetime(),
    /** Set by the database: see `runtime/database/commit-seq.ts`. */
    commitSeq: p.bigint().defaultRaw('devices.to_commit_seq(pg_current_xact_id())'),
  },
})

/** What an agent has reported about itself, at the request of a user. */
export const DiagnosticsEntity = defineEntity({
  name: 'Diagnostics',
  tableName: 'diagnostics',
  properties: {
    id: p.uuid().primary(),
    computerId: p.uuid(),
    text: p.text(),
    createdAt: p.datetime(),
  },
})

/** The only row: the process that runs the agents of the test computers. Taken by SQL. */
export const TestComputersLeaseEntity = defineEntity({
  name: 'TestComputersLease',
  tableName: 'test_computers_lease',
  properties: {
    one: p.boolean().primary(),
    holderId: p.uuid(),
    expiresAt: p.datetime(),
  },
})

export const ENTITIES = [
  ...[ComputerEntity, PrinterEntity, DestinationEntity],
  ...[EnrollmentEntity, DiagnosticsEntity, TestComputersLeaseEntity],
]

/** Values of the columns `name, hostname, os, os_version, arch, agent_version`. */
export const toComputerFacts = (
  facts: Record<'name' | 'hostname' | 'os' | 'osVersion' | 'arch' | 'agentVersion', string>,
): string[] =>
  [facts.name, facts.hostname, facts.os, facts.osVersion, facts.arch, facts.agentVersion].map(replaceControls)

export type Computer = InferEntity<typeof ComputerEntity>
export type Printer = InferEntity<typeof PrinterEntity>
export type Destination = InferEntity<typeof DestinationEntity>
