/**
 * The packages of the agent that an installation offers: the directory `PLATEN_AGENT_PACKAGES_DIR`. The gateway serves
 * its files, and devices announces its version to agents.
 */
import { type PackageName, parsePackageName } from '@platen/proto/agent-packages.ts'
import { openPackages, type ReadPackages } from './packages.ts'

export type AgentPackage = Omit<PackageName, 'version'>
export type ReadAgentPackages = ReadPackages<AgentPackage>

/** @param directory undefined: no packages. */
export const openAgentPackages = (directory: string | undefined): ReadAgentPackages =>
  openPackages(directory, parsePackageName)
