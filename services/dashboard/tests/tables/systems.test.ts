import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { createAirPrintProfile } from '../../src/features/print-access/airprint-profile.ts'
import { detectSystem, listSteps, SYSTEMS, type System } from '../../src/features/print-access/systems.ts'

const SECRET = 'k4xq2mzr7tbn5wyd3hfa6gcpq7'
const ADDRESS = { origin: 'https://print.example.com', number: 7, isDestination: false, secret: SECRET }
const PATH = `ipp/print/7/${SECRET}`

test.each<[System, string[]]>([
  ['Windows', [`Add-Printer -Name 'Anna''s' -IppURL 'https://print.example.com:443/${PATH}'`]],
  ['macOS', [`lpadmin -p 'Anna_s' -E -v 'ipps://print.example.com:443/${PATH}' -m everywhere`]],
  ['Linux', [`sudo lpadmin -p 'Anna_s' -E -v 'ipps://print.example.com:443/${PATH}?waitjob=false' -m everywhere`]],
  ['Android', [`ipps://print.example.com:443/${PATH}`]],
  ['ChromeOS', ['print.example.com:443', 'Internet Printing Protocol (IPPS)', PATH]],
])('the lines of %s name the port and quote the name', (system, values) => {
  expect(listSteps(system, ADDRESS, "Anna's").map(({ value }) => value)).toEqual(expect.arrayContaining(values))
})

test('a destination has an address of its own', () => {
  const [step] = listSteps('Android', { ...ADDRESS, isDestination: true }, 'kitchen')
  expect(step?.value).toBe(`ipps://print.example.com:443/ipp/print/d/7/${SECRET}`)
})

test('an installation without TLS has addresses of ipp and http', () => {
  const local = { ...ADDRESS, origin: 'http://localhost:8080' }
  const values = SYSTEMS.flatMap((system) => listSteps(system, local, 'Desk').map(({ value }) => value)).join('\n')
  expect(values).toContain(`'ipp://localhost:8080/${PATH}'`)
  expect(values).toContain(`'http://localhost:8080/${PATH}'`)
  expect(values).not.toMatch(/ipps:|https:|IPPS/)
})

test('a profile is a property list with the host, the path and the port', () => {
  const profile = createAirPrintProfile(ADDRESS, 'Desk <1> & "2"')
  const read = 'import json, plistlib, sys; print(json.dumps(plistlib.loads(sys.stdin.buffer.read())))'
  const plist = JSON.parse(execFileSync('python3', ['-c', read], { input: profile, encoding: 'utf8' }))
  expect(plist.PayloadDisplayName).toBe('Desk <1> & "2"')
  expect(plist.PayloadContent).toMatchObject([
    {
      PayloadType: 'com.apple.airprint',
      AirPrint: [{ IPAddress: 'print.example.com', ResourcePath: PATH, Port: 443, ForceTLS: true }],
    },
  ])
})

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'Windows'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'macOS'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)', 'iPhone and iPad'],
  ['Mozilla/5.0 (Linux; Android 15)', 'Android'],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0)', 'ChromeOS'],
  ['Mozilla/5.0 (X11; Linux x86_64)', 'Linux'],
])('the browser %s is of %s', (userAgent, system) => {
  expect(detectSystem(userAgent)).toBe(system)
})
