export * from '../interceptor/node.js'
