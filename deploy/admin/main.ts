/**
 * `npm run -s admin -- <command>`: what the operator of a running installation decides about organizations, keys and plans. Prints
 * one line of JSON and nothing else on stdout; when it cannot, one sentence on stderr, and it exits with 1. (`-s`, since npm would
 * print a line of its own before it.)
 */
import { ConnectError } from '@connectrpc/connect'
import { ConfigError } from '@platen/runtime/config.ts'
import { ApiError } from '@platen/runtime/errors.ts'
import { connectServices } from '../connect-services.ts'
import { findRunningInstallation, type RunningInstallation } from '../running-installation.ts'
import { StartupError } from '../startup-error.ts'
import { parseCommand } from './arguments.ts'

async function administer(args: string[]): Promise<unknown> {
  const run = parseCommand(args)
  const installation = await findRunningInstallation(process.env)
  const services = connectServices(installation.secrets.rpcSecret, rpcPort(installation))
  try {
    return await run(services.client)
  } catch (error) {
    throw inTheOperatorsTerms(error, installation)
  } finally {
    services.close()
  }
}

function rpcPort({ ports, dataDirectory }: RunningInstallation): number {
  if (ports.rpc === undefined)
    throw new StartupError(`An older version of Platen runs on ${dataDirectory}: restart it.`)
  return ports.rpc
}

function inTheOperatorsTerms(error: unknown, { dataDirectory }: RunningInstallation): unknown {
  const unanswered = error instanceof ApiError && error.code === 'service_unavailable'
  if (unanswered || error instanceof ConnectError)
    return new StartupError(`Platen does not answer on ${dataDirectory}: start it, or see ${dataDirectory}/logs.`)
  return error
}

try {
  console.log(JSON.stringify(await administer(process.argv.slice(2))))
} catch (error) {
  if (!(error instanceof StartupError || error instanceof ConfigError || error instanceof ApiError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
