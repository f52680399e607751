import type { TestProject } from 'vitest/node'
export default async function setup(project: TestProject) {
  project.provide('postgresUrl', 'postgres://platen@127.0.0.1:55432/postgres')
}
