import { id } from '@platen/resources/fields.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { z } from 'zod'
import { getRoles } from '../authentication/require-permission.ts'
import { MODES, type Session } from '../caller.ts'
import { getSession, type Tenant } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { LARGE, operation } from '../operation/operation.ts'

const KIND_NAMES = ['job', 'printer', 'computer', 'destination', 'webhook', 'event'] as const

interface Kind {
  kind: (typeof KIND_NAMES)[number]
  /** The scope of the key that could read it, for the roles of a user. */
  scope: 'read' | 'admin'
  /** The page of the application, below the mode. */
  path(id: string): string
  /** @throws ApiError `not_found` */
  read(gateway: Gateway, tenant: Tenant, id: string): Promise<unknown>
}

const KINDS: Kind[] = [
  {
    kind: 'job',
    scope: 'read',
    path: (id) => `jobs/${id}`,
    read: ({ jobs }, tenant, jobId) => jobs.getJob({ ...tenant, jobId }),
  },
  {
    kind: 'printer',
    scope: 'read',
    path: (id) => `printers/${id}`,
    read: ({ devices }, tenant, printerId) => devices.getPrinter({ ...tenant, printerId }),
  },
  {
    kind: 'computer',
    scope: 'read',
    path: (id) => `computers/${id}`,
    read: ({ devices }, tenant, computerId) => devices.getComputer({ ...tenant, computerId }),
  },
  {
    kind: 'destination',
    scope: 'read',
    path: (id) => `destinations/${id}`,
    read: ({ devices }, tenant, destinationId) => devices.getDestination({ ...tenant, destinationId }),
  },
  {
    kind: 'webhook',
    scope: 'admin',
    path: (id) => `webhooks/${id}`,
    read: ({ endpoints }, tenant, endpointId) => endpoints.getEndpoint({ ...tenant, endpointId }),
  },
  {
    kind: 'event',
    scope: 'read',
    path: (id) => `events?id=${id}`,
    read: ({ events }, tenant, eventId) => events.getEvent({ ...tenant, eventId }),
  },
]

const LOCATION = z
  .object({
    organizationId: id(),
    mode: z.enum(MODES),
    kind: z.enum(KIND_NAMES),
    /** The path of the page, below `/app/{mode}/`. */
    path: z.string(),
  })
  .meta({ id: 'Location' })

type Location = z.output<typeof LOCATION>

export const locate = operation({
  operationId: 'locate',
  method: 'get',
  path: '/account/locate/{id}',
  ids: { id: 'resource' },
  scope: null,
  credential: 'session',
  tag: 'Account',
  summary: 'Find an id',
  description: 'Finds the page of an id in all organizations and modes of the user.',
  units: LARGE,
  answer: { status: 200, description: 'The page.', schema: LOCATION },
  handle:
    (gateway) =>
    async ({ ctx, ids }) => {
      // One after the other, because nearly all users have one.
      for (const membership of getSession(ctx).memberships) {
        if (membership.signInRequired || membership.organization.isSuspended) continue
        const found = await locateIn(gateway, membership, ids.id)
        if (found) return found
      }
      throw new ApiError('not_found', 'Nothing that you can see has this id.')
    },
})

async function locateIn(
  gateway: Gateway,
  { organization, role }: Session['memberships'][number],
  id: string,
): Promise<Location | undefined> {
  const candidates = MODES.flatMap((mode) =>
    KINDS.filter(({ scope }) => getRoles({ scope }, mode).includes(role)).map((kind) => ({ mode, ...kind })),
  )
  const found = await Promise.all(
    candidates.map(async ({ mode, kind, path, read }): Promise<Location | undefined> => {
      const tenant = { organizationId: organization.id, mode }
      return (await exists(read(gateway, tenant, id))) ? { ...tenant, mode, kind, path: path(id) } : undefined
    }),
  )
  return found.find((one) => one !== undefined)
}

async function exists(reading: Promise<unknown>): Promise<boolean> {
  try {
    await reading
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return false
    throw error
  }
}
