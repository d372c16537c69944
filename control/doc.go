// Package control lets a run be asked from outside its process, over a local socket: why a window
// has not fired, and how splits and steps stand. The command strandline why asks so.
//
// The socket is a file of mode 0600: who may open it is the user who runs the pipeline. It answers
// questions and changes nothing.
//
// Layer: stands on the public API. It owns a goroutine for the socket and one for each question.
package control
