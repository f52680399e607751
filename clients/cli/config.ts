/** The profiles of `platen login`: `config.json` in the XDG directory, readable by its owner alone. */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Platen } from '@platen/sdk'
import { Failure } from './exit-codes.ts'

interface Profile {
  url: string
  key: string
}

interface Config {
  /** The profile of commands without `--profile`: that of the last login. */
  current?: string
  profiles: Record<string, Profile>
}

const getFile = ({ XDG_CONFIG_HOME, APPDATA } = process.env) =>
  join(XDG_CONFIG_HOME || APPDATA || join(homedir(), '.config'), 'platen', 'config.json')

/**
 * PLATEN_KEY and PLATEN_URL win over profiles. With PLATEN_KEY alone the address is that of the profile.
 *
 * @throws Failure if no key or address is known.
 */
export const connect = (profileName?: string): Platen => new Platen(getAccess(profileName))

/** The profile is chosen by the rules of `connect`. */
export function getAccess(profileName?: string): { apiKey: string; baseUrl: string } {
  const { PLATEN_KEY, PLATEN_URL } = process.env
  const profile = PLATEN_KEY && PLATEN_URL ? undefined : readProfile(profileName, PLATEN_KEY !== undefined)
  const apiKey = PLATEN_KEY || profile?.key
  const baseUrl = PLATEN_URL || profile?.url
  if (!apiKey || !baseUrl) throw new Failure('Not logged in. Run `platen login`, or set PLATEN_URL and PLATEN_KEY.')
  return { apiKey, baseUrl }
}

function readProfile(name: string | undefined, isOptional: boolean): Profile | undefined {
  const { current, profiles } = readConfig()
  const wanted = name ?? process.env.PLATEN_PROFILE ?? current
  if (wanted === undefined) return undefined
  const profile = Object.hasOwn(profiles, wanted) ? profiles[wanted] : undefined
  if (!profile && !isOptional)
    throw new Failure(
      `There is no profile ${JSON.stringify(wanted)}. Known: ${Object.keys(profiles).join(', ') || 'none'}.`,
    )
  return profile
}

export function readConfig(): Config {
  const file = getFile()
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} }
    throw new Failure(`${file} is not readable: ${(error as Error).message}`)
  }
  try {
    return { profiles: {}, ...JSON.parse(text) }
  } catch {
    throw new Failure(`${file} is not valid JSON. Correct or delete it, then run \`platen login\`.`)
  }
}

/** Makes the profile the current one. @returns the path of the file. */
export function writeProfile(name: string, profile: Profile): string {
  const file = getFile()
  const config = { ...readConfig(), current: name }
  config.profiles = { ...config.profiles, [name]: profile }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // A file of an earlier run could have another mode.
  const temporary = `${file}.${process.pid}.tmp`
  writeFileSync(temporary, `${JSON.stringify(config, undefined, 2)}\n`, { mode: 0o600 })
  chmodSync(temporary, 0o600)
  renameSync(temporary, file)
  return file
}
