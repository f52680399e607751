import { useQuery } from '@tanstack/react-query'
import type { Installation } from '../../../api/session.ts'

/** The answer of `GET /agents/`. */
export interface AgentPackages {
  /** Null: no packages. */
  version: string | null
  isSigned: boolean
  /** How many files the build that is under way has finished; null without one. */
  building: number | null
  /** How the service was installed; absent if unknown. */
  installation?: Installation
  packages: {
    file: string
    platform: string
    architecture: string
    format: string
    sizeBytes: number
    sha256: string
  }[]
}

/** Packages are built while the page is open. */
const REFRESH_MS = 5_000

export function useAgentPackages() {
  return useQuery({
    queryKey: ['agent-packages'],
    queryFn: async ({ signal }): Promise<AgentPackages> => {
      const response = await fetch('/agents/', { signal })
      if (!response.ok) throw new Error(`The list of packages answers ${response.status}.`)
      return await response.json()
    },
    refetchInterval: REFRESH_MS,
  })
}
