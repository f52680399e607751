/** The operations below `/account`, which only the dashboard uses. They are not in the OpenAPI document. */

export type Role = 'owner' | 'admin' | 'member'
export type Mode = 'live' | 'test'
export type Scope = 'read' | 'print' | 'admin'

export interface Session {
  id: string
  user: { id: string; email: string }
  organizations: { id: string; name: string; role: Role }[]
  signedInAt: string
  /** Until then no code is asked for again. */
  recentUntil: string
  /** Of the dashboard that the gateway serves. */
  build: string
  isEncrypted: boolean
}

/** A session as the list of sessions shows it. */
export interface OpenSession {
  id: string
  browser: string
  ip: string
  createdAt: string
  lastUsedAt: string
  isCurrent: boolean
}

export interface ApiKey {
  id: string
  name: string
  prefix: string
  /** Null for old keys. */
  lastFour: string | null
  mode: Mode
  scopes: Scope[]
  createdAt: string
  /** Null for keys of operators. `name` is the e-mail address, null for a removed user. */
  createdBy: { kind: 'user'; id: string; name: string | null } | null
  lastUsedAt: string | null
  expiresAt: string | null
  revokedAt: string | null
}

export interface Member {
  userId: string
  email: string
  role: Role
  createdAt: string
  lastSignInAt: string | null
}

export interface Invitation {
  id: string
  organization: { id: string; name: string }
  email: string
  role: Role
  invitedBy: string
  createdAt: string
  expiresAt: string
}

export interface Organization {
  id: string
  name: string
  createdAt: string
}

export interface AuditEntry {
  id: string
  at: string
  /** An operator has no id. */
  actor: { kind: 'user' | 'key' | 'token' | 'operator'; id: string | null; name: string }
  /** The `operationId` of an operation, or the RPC of a command of operators. */
  action: string
  target: string | null
  /** The name at that time of a target that is a member, an invitation or an API key. */
  targetName: string | null
  mode: Mode | null
  /** `ok` or an error code. Null if it is unknown, because a gateway crashed or still works. */
  outcome: string | null
  /** Request and address are null for an operator. */
  requestId: string | null
  ip: string | null
}

export interface Location {
  organizationId: string
  mode: Mode
  kind: string
  path: string
}

interface ErrorEnvelope {
  error: { code: string; message: string; request_id: string }
}
type Json<T> = { headers: object; content: { 'application/json': T } }
/** An operation in the form of the generated types. */
type Operation<Answer, Body = never, Parameters = object> = {
  parameters: Parameters
  responses: { 200: Json<Answer>; default: Json<ErrorEnvelope> }
} & ([Body] extends [never] ? { requestBody?: never } : { requestBody: { content: { 'application/json': Body } } })
type WithId = { path: { id: string } }
type AuditPage = { data: AuditEntry[]; hasMore: boolean; nextCursor: string | null }
type PageQuery = { after?: string; limit?: number }

export interface AccountPaths {
  '/account/sign-in': {
    post: Operation<{ expiresAt: string; sentTo: 'mail' | 'terminal' }, { email: string }>
  }
  '/account/sign-in/code': { post: Operation<Session, { code: string }> }
  '/account/session': { get: Operation<Session>; delete: Operation<undefined> }
  '/account/sessions': { get: Operation<{ data: OpenSession[] }>; delete: Operation<undefined> }
  '/account/sessions/{id}': { delete: Operation<undefined, never, WithId> }
  '/account/keys': {
    get: Operation<{ data: ApiKey[] }>
    post: Operation<ApiKey & { key: string }, { name: string; scopes: Scope[]; expiresAt?: string | null }>
  }
  '/account/keys/{id}': { delete: Operation<ApiKey, never, WithId> }
  '/account/session/invitations': { get: Operation<{ data: Invitation[] }> }
  '/account/session/invitations/{id}': { delete: Operation<undefined, never, WithId> }
  '/account/session/invitations/{id}/accept': {
    post: Operation<{ id: string; name: string; role: Role }, never, WithId>
  }
  '/account/session/audit': { get: Operation<AuditPage, never, { query?: PageQuery }> }
  '/account/members': { get: Operation<{ data: Member[] }> }
  '/account/members/{id}': { patch: Operation<Member, { role: Role }, WithId> }
  '/account/members/{id}/remove': { post: Operation<undefined, { revokesKeys: boolean }, WithId> }
  '/account/members/{id}/require-sign-in': { post: Operation<undefined, never, WithId> }
  '/account/membership': { delete: Operation<undefined> }
  '/account/invitations': {
    get: Operation<{ data: Invitation[] }>
    post: Operation<Invitation, { email: string; role: Role }>
  }
  '/account/invitations/{id}': { delete: Operation<undefined, never, WithId> }
  '/account/organization': { get: Operation<Organization>; patch: Operation<Organization, { name: string }> }
  '/account/audit': {
    get: Operation<AuditPage, never, { query?: PageQuery & { action?: string; actor?: string } }>
  }
  '/account/locate/{id}': { get: Operation<Location, never, WithId> }
}
