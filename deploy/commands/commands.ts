/** The commands of `platen-server`, beside its roles. */

interface Command {
  /** Its program, loaded when the command runs. */
  start: () => Promise<unknown>
  description: string
}

export const COMMANDS: Record<string, Command> = {
  admin: {
    start: () => import('./admin/main.ts'),
    description: 'manage organizations, API keys, plans and users',
  },
  'create-roles': {
    start: () => import('./create-roles/main.ts'),
    description: 'create the roles and schemas of the services in PostgreSQL',
  },
  'create-secrets': {
    start: () => import('./create-secrets/main.ts'),
    description: 'print the Secrets of a new installation on Kubernetes',
  },
  doctor: {
    start: () => import('./doctor/main.ts'),
    description: 'check all replicas, and with --public the public addresses',
  },
  inspect: {
    start: () => import('./inspect/main.ts'),
    description: 'show one job in all services',
  },
  migrate: {
    start: () => import('../../services/migrate.ts'),
    description: 'migrate the schemas of all services; --check only reports',
  },
  rotate: {
    start: () => import('./rotate/main.ts'),
    description: 'encrypt stored secrets with the first key of a list',
  },
  selftest: {
    start: () => import('./selftest/main.ts'),
    description: 'run doctor, then print a page through the API',
  },
}
