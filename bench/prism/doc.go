// Package prism groups events by key on Apache Beam's Prism, the runner of Beam's Go SDK that works
// in the process of its caller. It knows nothing of the engine that it is compared with.
//
// It is built with the tag prism only, since Beam's SDK takes minutes to build.
package prism
