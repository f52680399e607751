import type { Role } from '../../../api/session.ts'

/** With what each permits. The service decides. */
export const ROLES: [role: Role, permits: string][] = [
  ['member', 'Reads everything except webhooks, keys and the audit log; prints and prints again.'],
  [
    'admin',
    'Also cancels jobs, manages printers, computers, webhooks and keys, and reads live documents and the audit log.',
  ],
  ['owner', 'Also manages members, roles and the name of the organization.'],
]
