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
    /** Updated at most once per minute, only by `recordLastUses`. */
    lastUsedAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
  },
})

export type Organization = InferEntity<typeof OrganizationEntity>
export type ApiKey = InferEntity<typeof ApiKeyEntity>
