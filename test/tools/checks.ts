/** The checks of `npm run check`, each with its command. */
import { join } from 'node:path'
import { toolsDirectory } from '@platen/deploy/install/paths.mjs'

/** The next check reads only changed files again. @param name of the record. */
const checkTypes = (name: string, ...args: string[]): [command: string, ...args: string[]] => [
  'tsc',
  ...['--noEmit', '--incremental', '--tsBuildInfoFile', join(toolsDirectory, `${name}.tsbuildinfo`), ...args],
]

export const CHECKS: [name: string, command: string, ...args: string[]][] = [
  ['style', 'biome', 'check', '.'],
  ['generated types of the API', process.execPath, 'test/tools/generate-api-types.ts'],
  ['methods of the client libraries', process.execPath, 'clients/generate.ts'],
  ['help of the command line', process.execPath, 'test/tools/cli-help.ts'],
  ['users of NATS', process.execPath, '--no-warnings', 'test/tools/nats-users.ts'],
  ['types', ...checkTypes('types')],
  ['types of the client library', ...checkTypes('types-client', '--project', 'clients/typescript')],
  ['types of the dashboard', ...checkTypes('types-dashboard', '--project', 'services/dashboard')],
  ['contracts', 'buf', 'lint'],
  ['contracts stay compatible', 'buf', 'breaking', '--against', 'proto/released.binpb'],
  ['generated code is up to date', process.execPath, 'proto/check-generated.ts'],
  ['lines that install clients', process.execPath, 'test/tools/check-install-lines.ts'],
  ['links in documentation and comments', process.execPath, 'test/tools/check-links.ts'],
  ['comments', process.execPath, 'test/tools/check-comments.ts'],
  ['listed paths', process.execPath, 'test/tools/check-paths.ts'],
  ['documentation site', process.execPath, '--no-warnings', 'deploy/launcher/build-web.ts', 'docs'],
  ['vulnerabilities of dependencies', process.execPath, 'test/tools/check-audit.ts'],
  ['hashes of packages', process.execPath, 'test/tools/check-lock.ts'],
  ['versions', process.execPath, 'test/tools/check-versions.ts'],
  ['workflows', process.execPath, '--no-warnings', 'test/tools/check-workflows.ts'],
  ['support matrix', process.execPath, 'test/tools/support-matrix.ts'],
  ['width of Markdown', process.execPath, 'test/tools/wrap-markdown.ts'],
  ['width of comments', process.execPath, '--no-warnings', 'test/tools/wrap-comments.ts'],
  ['width of SQL', process.execPath, '--no-warnings', 'test/tools/check-sql-width.ts'],
  ['OpenAPI document', process.execPath, 'test/tools/check-openapi.ts'],
]
