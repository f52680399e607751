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
    /** Whether jobs without `retain` are created with `retain` false. */
    discardsDocuments: p.boolean().default(false),
    /** Whether computers can print with print accesses. */
    allowsPrintAccess: p.boolean().default(false),
    /** A deleted organization has it as well. */
    suspendedAt: p.datetime().nullable(),
    /** When its deletion began. */
    deletedAt: p.datetime().nullable(),
    /** When its deletion was complete. */
    removedAt: p.datetime().nullable(),
  },
})

/** An API key or a print access. */
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
    expiresAt: p.datetime().nullable(),
    /** `expiresAt` for an expired key, soon after that time. */
    revokedAt: p.datetime().nullable(),
    /** Empty for an API key. */
    kind: p.text().$type<'' | 'print'>().default(''),
    /** The printers of a print access. Empty: all shared ones. */
    printerIds: p.array().$type<string[]>().default([]),
    /** The member who prints with a print access. */
    userId: p.uuid().nullable(),
  },
})

export const ROLES = ['owner', 'admin', 'member'] as const

export type Role = (typeof ROLES)[number]

/** A person, by the address. */
export const UserEntity = defineEntity({
  name: 'User',
  tableName: 'user',
  properties: {
    id: p.uuid().primary(),
    /** In lower case. */
    email: p.text().unique(),
    createdAt: p.datetime(),
    lastSignInAt: p.datetime().nullable(),
  },
})

export const MembershipEntity = defineEntity({
  name: 'Membership',
  tableName: 'membership',
  properties: {
    organization: () => p.manyToOne(OrganizationEntity).primary(),
    user: () => p.manyToOne(UserEntity).primary(),
    role: p.text().$type<Role>(),
    createdAt: p.datetime(),
    /** Sessions of earlier sign-ins are not accepted for the organization. */
    signInAfter: p.datetime().nullable(),
  },
})

/** Becomes a membership when a user with this address accepts it. */
export const InvitationEntity = defineEntity({
  name: 'Invitation',
  tableName: 'invitation',
  properties: {
    id: p.uuid().primary(),
    organization: () => p.manyToOne(OrganizationEntity),
    /** In lower case. It can have no user. */
    email: p.text(),
    role: p.text().$type<Role>(),
    /** The address of a user. */
    invitedBy: p.text(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    /** Null after the mail was sent. */
    mailDueAt: p.datetime().nullable(),
  },
})

/** Sessions are created and looked up by SQL. */
export const SessionEntity = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    id: p.uuid().primary(),
    tokenSha256: p.blob().unique(),
    user: () => p.manyToOne(UserEntity),
    knownBrowserSha256: p.blob(),
    browser: p.text(),
    ip: p.text(),
    createdAt: p.datetime(),
    /** Updated at most once per minute, only by `recordLastUses`. */
    lastUsedAt: p.datetime(),
  },
})

/** A browser that has signed in as this user. It has limits of its own, so that strangers cannot use them up. */
export const KnownBrowserEntity = defineEntity({
  name: 'KnownBrowser',
  tableName: 'known_browser',
  properties: {
    tokenSha256: p.blob().primary(),
    user: () => p.manyToOne(UserEntity).primary(),
    lastUsedAt: p.datetime(),
  },
})

/** A requested code, also for an address without access. An operator's code has no challenge and no mail. */
export const SignInEntity = defineEntity({
  name: 'SignIn',
  tableName: 'sign_in',
  properties: {
    id: p.uuid().primary(),
    email: p.text(),
    challengeSha256: p.blob().nullable(),
    /** Empty if the mail was withheld. */
    codeHmac: p.blob(),
    /** The address, or the known browser: whose limits apply. */
    limitedBy: p.text().nullable(),
    wrongCodes: p.integer(),
    browser: p.text(),
    ip: p.text(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    /** Null after the mail was sent or withheld. */
    encryptedCode: p.blob().nullable(),
    mailDueAt: p.datetime().nullable(),
  },
})

/** Rows of the audit log. The table has one for each log of an action. */
export const AuditEntity = defineEntity({
  name: 'Audit',
  tableName: 'audit',
  properties: {
    id: p.uuid().primary(),
    /** The organization or the user whose log it is. */
    logId: p.uuid().primary(),
    at: p.datetime(),
    actorKind: p.text(),
    /** Null for an operator. */
    actorId: p.uuid().nullable(),
    actorName: p.text(),
    action: p.text(),
    target: p.uuid().nullable(),
    /** At that time, if the target belongs to the organization. */
    targetName: p.text().nullable(),
    mode: p.text().nullable(),
    /** `ok` or an error code. Null until the action has ended. */
    outcome: p.text().nullable(),
    requestId: p.text(),
    ip: p.text(),
    /** See `runtime/database/commit-seq.ts`. */
    commitSeq: p.bigint().defaultRaw('accounts.to_commit_seq(pg_current_xact_id())'),
  },
})

/** A request of an API key that a gateway refused. Kept for a day. */
export const RefusalEntity = defineEntity({
  name: 'Refusal',
  tableName: 'refusal',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    mode: p.text(),
    apiKeyId: p.uuid(),
    at: p.datetime(),
    method: p.text(),
    /** Empty if the request reached no operation. */
    route: p.text(),
    status: p.integer(),
    code: p.text(),
    message: p.text(),
    requestId: p.text(),
    /** The position in lists, as in the audit log. */
    commitSeq: p.bigint().defaultRaw('accounts.to_commit_seq(pg_current_xact_id())'),
  },
})

export type Organization = InferEntity<typeof OrganizationEntity>
export type ApiKey = InferEntity<typeof ApiKeyEntity>
export type User = InferEntity<typeof UserEntity>
export type Membership = InferEntity<typeof MembershipEntity>
export type Invitation = InferEntity<typeof InvitationEntity>
export type Audit = InferEntity<typeof AuditEntity>
