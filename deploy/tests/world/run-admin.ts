import { AccountsService } from '@platen/proto/gen/platen/accounts/v1/accounts_pb.ts'
import { DevicesService } from '@platen/proto/gen/platen/devices/v1/devices_pb.ts'
import { JobsService } from '@platen/proto/gen/platen/jobs/v1/jobs_pb.ts'
import { UsageService } from '@platen/proto/gen/platen/usage/v1/usage_pb.ts'
import { EndpointsService } from '@platen/proto/gen/platen/webhooks/v1/endpoints_pb.ts'
import { getWorld } from '@platen/test/harness/world.ts'
import { parseCommand } from '../../commands/admin/add-admin.ts'
import type { Connect } from '../../launcher/connect-services.ts'

export type Printed = Record<string, string>

/** @returns the clients of the world of the worker. */
export async function connectWorld(): Promise<Connect> {
  const { accounts, devices, jobs, usage, endpoints } = await getWorld()
  const clients = new Map<unknown, unknown>([
    [AccountsService, accounts],
    [DevicesService, devices],
    [JobsService, jobs],
    [UsageService, usage],
    [EndpointsService, endpoints],
  ])
  return ((service) => clients.get(service)) as Connect
}

/** Runs `npm run admin` with these arguments. */
export const runAdmin = async (...args: string[]) => (await parseCommand(args)(await connectWorld())) as Printed
