/**
 * `GET /clients/`: the libraries and the command line of integrators, in the version of this installation. Public,
 * because `npm` and `pip` send no API key.
 */
import { toInstallLine } from '@platen/resources/client-packages.ts'
import type { RouteStep } from '../context.ts'
import type { Gateway } from '../gateway.ts'
import { getOwnOrigin } from '../request/own-origin.ts'
import { describePackages, sendPackage } from './packages.ts'

const NO_PACKAGES =
  'This installation offers no clients yet. `npm start` builds them after its start, when it has built the documentation. In another installation, its operator sets `PLATEN_CLIENT_PACKAGES_DIR`: see `/docs/settings`.'

/** The list for the dashboard and for programs, with the line that installs each package. */
export const listClientPackages =
  ({ clientPackages, publicUrl }: Gateway): RouteStep =>
  async (ctx) => {
    // The lines have the host of the request, which no cache may give to another one.
    ctx.set('Cache-Control', 'no-store')
    const origin = getOwnOrigin(ctx, publicUrl)
    const { packages, ...list } = await describePackages(clientPackages)
    const withLine = packages.map((one) => ({
      ...one,
      install: toInstallLine(one.client, `${origin}/clients/${one.file}`),
    }))
    ctx.body = { ...list, packages: withLine }
  }

/** A lock file of npm or pip has the address of a version, which an upgrade removes. */
export const sendClientPackage = ({ clientPackages }: Gateway): RouteStep =>
  sendPackage(clientPackages, {
    list: NO_PACKAGES,
    file: ({ version }) =>
      `This installation has the clients of version ${version}, and no such file. See \`/clients/\`.`,
  })
