import { defineEntity, type InferEntity, p } from '@mikro-orm/core'
import type { Mode } from './api-key.ts'

export type Scope = 'read' | 'print' | 'admin'

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
    /** The only trace of the key itself. */
    keySha256: p.blob().unique(),
    prefix: p.text(),
    mode: p.text().$type<Mode>(),
    scopes: p.array().$type<Scope[]>(),
    createdAt: p.datetime(),
  },
})

export type Organization = InferEntity<typeof OrganizationEntity>
export type ApiKey = InferEntity<typeof ApiKeyEntity>
