import type { Api } from './api.ts'

const CLIENTS = 16
const JOBS_EACH = 6

/** 16 clients that create one job after the other, half of them at each gateway. @returns the ids of all. */
export async function createAtOnce(apis: [Api, Api], job: () => Record<string, unknown>): Promise<string[]> {
  const client = async (n: number) => {
    const ids: string[] = []
    for (let count = 0; count < JOBS_EACH; count++) ids.push((await apis[n % 2 ? 1 : 0].createJob(job())).id)
    return ids
  }
  return (await Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)))).flat()
}
