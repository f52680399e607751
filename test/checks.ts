/** The checks of `npm run check`, each with its command. */
export const CHECKS: [name: string, command: string, ...args: string[]][] = [
  ['style', 'biome', 'check', '.'],
  ['generated types of the API', process.execPath, 'test/generate-api-types.ts'],
  ['docstrings of the client library', process.execPath, 'test/client-docstrings.ts'],
  ['types', 'tsc', '--noEmit'],
  ['types of the client library', 'tsc', '--noEmit', '--project', 'clients/typescript'],
  ['types of the dashboard', 'tsc', '--noEmit', '--project', 'services/dashboard'],
  ['contracts', 'buf', 'lint'],
  ['contracts stay compatible', 'buf', 'breaking', '--against', 'proto/released.binpb'],
  ['generated code is up to date', process.execPath, 'proto/check-generated.ts'],
  ['links in documentation and comments', process.execPath, 'test/check-links.ts'],
  ['vulnerabilities of dependencies', process.execPath, 'test/check-audit.ts'],
  ['hashes of packages', process.execPath, 'test/check-lock.ts'],
  ['versions', process.execPath, 'test/check-versions.ts'],
  ['support matrix', process.execPath, 'test/support-matrix.ts'],
  ['width of Markdown', process.execPath, 'test/wrap-markdown.ts'],
  ['OpenAPI document', process.execPath, 'test/check-openapi.ts'],
]
