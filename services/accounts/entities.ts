import { defineEntity, type InferEntity, p } from '@mikro-orm/core'

export const MODES = ['live', 'test'] as const

type Mode = (typeof MODES)[number]

/** In the order in which they are stored and shown. */
export const SCOPES = ['read', 'print', 'admin'] as const

export type Scope = (typeof SCOPES)[number]

export const OrganizationEntity = defineEntity({
  name: 'Organization',
  tableName: 'organization',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    createdAt: p.datetime(),
  },
})

export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_key',
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(OrganizationEntity),
    name: p.text(),
    keySha256: p.blob().unique(),
    prefix: p.text(),
    /** Null for keys that were created before this column. */
    lastFour: p.text().nullable(),
    mode: p.text().$type<Mode>(),
    scopes: p.array().$type<Scope[]>(),
    createdAt: p.datetime(),
    /** The id of a user. Null for an operator. */
    createdBy: p.uuid().nullable(),
    /** Updated at most once per minute, only by `recordLastUses`. */
    lastUsedAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
  },
})

/** Rows of the audit log. The table has one for each organization of an action. */
export const AuditEntity = defineEntity({
  name: 'Audit',
  tableName: 'audit',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid().primary(),
    at: p.datetime(),
    actorKind: p.text(),
    /** Null for an operator. */
    actorId: p.uuid().nullable(),
    actorName: p.text(),
    action: p.text(),
    target: p.uuid().nullable(),
    mode: p.text().nullable(),
    /** `ok` or an error code. Null until the action has ended. */
    outcome: p.text().nullable(),
    requestId: p.text(),
    ip: p.text(),
    /** See `runtime/database/commit-seq.ts`. */
    commitSeq: p.bigint(),
  },
})

export type Organization = InferEntity<typeof OrganizationEntity>
export type ApiKey = InferEntity<typeof ApiKeyEntity>
export type Audit = InferEntity<typeof AuditEntity>
