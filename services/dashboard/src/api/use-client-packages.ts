import { useQuery } from '@tanstack/react-query'

/** The answer of `GET /clients/`, in part. */
export interface ClientPackages {
  packages: { client: 'typescript' | 'cli' | 'python'; install: string }[]
}

/** `npm start` builds the packages after its start. */
const REFRESH_MS = 30_000

/** The clients that the installation offers, with the lines that install them. */
export function useClientPackages() {
  return useQuery({
    queryKey: ['client-packages'],
    queryFn: async ({ signal }): Promise<ClientPackages> => {
      const response = await fetch('/clients/', { signal })
      if (!response.ok) throw new Error(`The list of clients answers ${response.status}.`)
      return await response.json()
    },
    refetchInterval: ({ state }) => (state.data?.packages.length === 0 ? REFRESH_MS : false),
  })
}
